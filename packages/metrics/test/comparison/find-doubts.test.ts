import type { GeneratorResult } from "@bearhug/sdk";
import type { ComparisonResult } from "@bearhug/sdk/result";
import { describe, expect, test } from "vitest";

import { compareResults } from "../../src/comparison/compare-results.ts";
import type { NamedRun } from "../../src/comparison/comparable.ts";
import { randomSource } from "../../../plan/src/pacing/random-source.ts";
import { simulateSide, type SimulatedResult } from "./simulated-results.ts";

const quiet: SimulatedResult = { seed: 1, seconds: 10, requestsPerSecond: 300 };
const base = simulateSide("base", [quiet]);
const slower = simulateSide("new", [{ ...quiet, seed: 2, factor: 1.5 }]);

function judgedAs(
  runs: readonly NamedRun[],
  verdict: GeneratorResult["verdict"],
  ...reasons: readonly string[]
): NamedRun[] {
  return runs.map((run) => ({
    ...run,
    result: { ...run.result, generator: { ...run.result.generator, verdict, reasons } },
  }));
}

function compare(
  one: readonly NamedRun[],
  two: readonly NamedRun[],
  isAnyGenerator = false,
): ComparisonResult {
  const rules = { tolerance: 0.05, rateTolerance: 0.005, runNoise: 0.05 };
  return compareResults(
    one,
    two,
    {
      ...rules,
      isAnyMachine: false,
      isAnyGenerator,
      isAnyRedirect: false,
      isAnySize: false,
      failsOnUndecided: false,
    },
    { tool: { name: "bearhug", version: "0" }, random: () => randomSource(1, 0), failedCode: 99 },
  );
}

describe.each(["strained", "saturated"] as const)("a %s load generator", (verdict) => {
  const busy = "worker 0 was busy 99 % of the time: add workers or lower the load";
  const late = "worker 0 started iterations up to 30 ms late (p99): add workers or lower the load";

  test("on either side leaves times undecided, and a message names the run and the reason", () => {
    for (const [one, two, name] of [
      [judgedAs(base, verdict, busy, late), slower, "base-1.json"],
      [base, judgedAs(slower, verdict, busy, late), "new-1.json"],
    ] as const) {
      const { verdict: answer, exitCode, messages } = compare(one, two);
      expect([answer, exitCode]).toEqual(["undecided", 0]);
      expect(messages).toEqual([
        expect.stringMatching(
          `^In ${name} the load generator was ${verdict}, so its times (are|may be partly) the`,
        ),
      ]);
      expect(messages[0]).toContain(`the generator's own: ${busy}; and 1 more reason. `);
      expect(messages[0]).toMatch(/\. To compare anyway, add --allow generator\.$/);
    }
  });

  test("that is allowed does not prevent an answer, and is noted", () => {
    const { verdict: answer, exitCode, notes } = compare(base, judgedAs(slower, verdict, late), true);
    expect([answer, exitCode]).toEqual(["regressed", 99]);
    expect(notes[0]).toContain(`In new-1.json the load generator was ${verdict}, so its times`);
    expect(notes[0]).toContain(`: ${late}.`);
  });
});

test("more failures are a regression on a strained generator, not on a saturated one", () => {
  const failing = simulateSide("new", [{ ...quiet, seed: 3, failedShare: 0.2 }]);
  const strained = compare(base, judgedAs(failing, "strained", "busy"));
  expect(strained).toMatchObject({ verdict: "regressed", exitCode: 99 });
  expect(strained.figures.map(({ answer }) => answer)).toEqual(["undecided", "undecided", "regressed"]);
  expect(strained.messages).toEqual([
    expect.stringContaining("http_req_failed rate rose"),
    expect.stringMatching(/was strained, so .*: busy\. /),
  ]);
  expect(compare(base, judgedAs(failing, "saturated", "busy")).verdict).toBe("undecided");
});
