import { describe, expect, test } from "vitest";

import { severalAtOnce } from "../../import/several-at-once.ts";
import { runBearhug, temporaryFolder } from "../run-bearhug.ts";
import type { BrokenKind, BrokenRun } from "./broken-kind.ts";
import { brokenTests } from "./broken-tests.ts";
import { deadTargets } from "./dead-targets.ts";
import { documentedKinds, type DocumentedKind } from "./documented-kinds.ts";

/** Each kind has some runs, which mostly wait for a second of load or for a hanging server. */
const kindsAtOnce = 2;

describe.each([
  { heading: "Broken tests", kinds: brokenTests },
  { heading: "Dead targets", kinds: deadTargets },
])("docs/exit-codes.md, $heading", ({ heading, kinds }) => {
  const documented = documentedKinds(heading);

  test("has a row for each kind that is tested here, and no other", () => {
    expect([...documented.keys()]).toEqual(kinds.map(({ kind }) => kind));
    for (const { exitCode } of documented.values()) expect(exitCode).toBeGreaterThan(0);
  });

  test(
    "has the verdicts of the command, with and without thresholds, in any load model",
    { timeout: 600_000 },
    async () => {
      const byName = new Map(kinds.map((one) => [one.kind, one]));
      const outcomes = await severalAtOnce([...byName.keys()], kindsAtOnce, async (name) => {
        await expectKind(byName.get(name)!, documented.get(name)!);
      });
      const failed = Object.entries(outcomes).filter(([, outcome]) => outcome !== "passed");
      expect(failed).toEqual([]);
    },
  );
});

/** Runs all command lines of a kind at once: they share what was started for them. */
async function expectKind({ runs }: BrokenKind, row: DocumentedKind): Promise<void> {
  await Promise.all((await runs()).map((run) => expectRow(run, row)));
}

/** Expects the documented verdict in the first lines of the summary or, without a load, on stderr. */
async function expectRow(run: BrokenRun, { exitCode, says }: DocumentedKind): Promise<void> {
  const ended = await runBearhug(run.arguments, temporaryFolder());
  const [verdict = ""] = ended.stdout.split(/\n\n {2}test {2}/);
  const text = (ended.stdout === "" ? ended.stderr : verdict).replaceAll(/\s+/g, " ");
  expect(ended.exitCode, `${run.how}: ${text}`).toBe(exitCode);
  expect(text, run.how).toMatch(says);
}
