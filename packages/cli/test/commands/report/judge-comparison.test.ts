import type { TestResult } from "@bearhug/sdk";
import { expect, test } from "vitest";

import { readComparison } from "../../../src/commands/report/comparison-options.ts";
import { judgeAgainst } from "../../../src/commands/report/judge-comparison.ts";
import { passed } from "../../../../report/test/passed-result.ts";

const usual = { tolerance: "5%", rateTolerance: "0.5%", runNoise: "5%", failOn: "regressed", allow: [] };

/** Judges a run against an equal one whose test has this fingerprint. */
function judge(run: TestResult, fingerprint: string, ifIncomparable: string): TestResult {
  const base = { name: "base.json", result: { ...passed, test: { ...passed.test, fingerprint } } };
  const options = readComparison({ ...usual, ifIncomparable }, []);
  return judgeAgainst([base], options, { allowsSaturated: false })(run);
}

const saturated: TestResult = {
  ...passed,
  test: { ...passed.test, fingerprint: "c0de" },
  generator: { ...passed.generator, verdict: "saturated" },
};

test("a saturated generator fails a compared run, but not one left uncompared because its test changed", () => {
  expect(judge(saturated, "c0de", "warn")).toMatchObject({ exitCode: 112 });
  const uncompared = judge(saturated, "0ther", "warn");
  expect(uncompared).toMatchObject({ exitCode: 0, verdict: "passed", messages: passed.messages });
  expect(uncompared.notes.at(-1)).toContain("not compared: The code of the test changed");
  expect(judge(saturated, "0ther", "fail")).toMatchObject({ exitCode: 104 });
});
