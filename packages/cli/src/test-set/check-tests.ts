import { availableParallelism } from "node:os";

import { builtInClients } from "@bearhug/engine/built-in-clients";
import { InvalidTest, type TestProblem } from "@bearhug/plan/definition/invalid-test";
import type { ValidatedTest } from "@bearhug/plan/definition/validated-test";
import { makePlan, type PlannedRun } from "@bearhug/plan/test-file/make-plan";
import type { SourcePosition } from "@bearhug/sdk/result";

import type { PlacedProblem } from "../documents/documents.ts";
import { describeFile, type Describing, type TestInFile } from "./describe-file.ts";

/** A test with its plan, or with all its problems. */
export type CheckedTest =
  | {
      readonly test: ValidatedTest;
      readonly planned: PlannedRun;
      readonly position: SourcePosition;
      /** Problems that would prevent a run, but not a plan. */
      readonly warnings: readonly PlacedProblem[];
    }
  | {
      /** Null if the test cannot be loaded. */
      readonly test: ValidatedTest | null;
      readonly problems: readonly PlacedProblem[];
    };

/** Loads a test and plans its run, as a run does before it sends anything. */
export async function checkTest(file: string, describing: Describing): Promise<CheckedTest> {
  const described = await describeFile(file, describing);
  return "problems" in described ? { test: null, ...described } : planTest(described, describing);
}

function planTest(
  { test, loaded, position, place }: TestInFile,
  { options, toleratesMissing = false }: Describing,
): CheckedTest {
  const { environment, fallbackName } = loaded;
  const surroundings = { environment, cores: availableParallelism(), fallbackName, clients: builtInClients };
  const missing: TestProblem[] = [];
  try {
    const planned = makePlan(test, options, {
      ...surroundings,
      ...(toleratesMissing ? { missingVariables: missing } : {}),
    });
    return { test, planned, position, warnings: missing.map(place) };
  } catch (error) {
    if (!(error instanceof InvalidTest)) throw error;
    return { test, problems: [...error.found, ...missing].map(place) };
  }
}
