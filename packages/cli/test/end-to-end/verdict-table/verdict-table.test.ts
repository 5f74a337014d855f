import { describe, expect, test } from "vitest";

import { severalAtOnce } from "../../import/several-at-once.ts";
import { startBearhug, temporaryFolder } from "../run-bearhug.ts";
import type { BrokenKind, BrokenRun } from "./broken-kind.ts";
import { brokenTests } from "./broken-tests.ts";
import { deadTargets } from "./dead-targets.ts";
import { documentedKinds, type DocumentedKind } from "./documented-kinds.ts";

/** Runs mostly wait: for the load's second, or for a hanging server. */
const runsAtOnce = 5;

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
    "says what the command says, with and without thresholds, in any load model",
    { timeout: 300_000 },
    async () => {
      const runs = new Map((await Promise.all(kinds.map((kind) => runsOf(kind, documented)))).flat());
      const outcomes = await severalAtOnce([...runs.keys()], runsAtOnce, async (name) => {
        const { run, row } = runs.get(name)!;
        await expectRow(run, row);
      });
      const failed = Object.entries(outcomes).filter(([, outcome]) => outcome !== "passed");
      expect(failed).toEqual([]);
    },
  );
});

interface PlannedRun {
  readonly run: BrokenRun;
  readonly row: DocumentedKind;
}

async function runsOf(
  { kind, runs }: BrokenKind,
  documented: ReadonlyMap<string, DocumentedKind>,
): Promise<[name: string, planned: PlannedRun][]> {
  const row = documented.get(kind);
  if (row === undefined) return [];
  return (await runs()).map((run) => [`${kind} (${run.how})`, { run, row }]);
}

/** The verdict is the first lines of the summary; without a load there are the sentences on stderr alone. */
async function expectRow(run: BrokenRun, { exitCode, says }: DocumentedKind): Promise<void> {
  const ended = await startBearhug(run.arguments, temporaryFolder());
  const [verdict = ""] = ended.stdout.split(/\n\n {2}test {2}/);
  const told = (ended.stdout === "" ? ended.stderr : verdict).replaceAll(/\s+/g, " ");
  expect(ended.exitCode, told).toBe(exitCode);
  expect(told).toMatch(says);
}
