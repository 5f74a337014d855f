import { InvalidTest } from "@bearhug/plan/definition/invalid-test";
import { InvalidInput } from "@bearhug/sdk";

import type { PlacedProblem, ProblemsDocument } from "../documents/documents.ts";
import { describeProblem } from "./write/chosen-tests.ts";

/** Runs that cannot be compared, because their test, load or target differs. */
export class Incomparable extends InvalidInput {}

/** Problems in tests, found by a check before any of them ran. */
export class InvalidTests extends InvalidInput {
  readonly found: readonly PlacedProblem[];
  constructor(found: readonly PlacedProblem[]) {
    super(found.map(describeProblem));
    this.found = found;
  }
}

/** Returns the problems of an error for `--json`; those of a test have their places, if known. */
export function placesOf(error: InvalidInput): ProblemsDocument["problems"] {
  // The command line may rephrase a problem; the original error is then its cause.
  for (let one: unknown = error; one instanceof Error; one = one.cause) {
    if (one instanceof InvalidTests) return one.found;
    if (one instanceof InvalidTest) return placesOfTest(one, error);
    if (one instanceof Incomparable)
      return error.problems.map((message) => ({ code: "INCOMPARABLE", message }));
  }
  return error.problems.map((message) => ({ code: "INVALID_OPTION", message }));
}

/** Returns the problems of a test; where the command line has rephrased a sentence, its version is kept. */
function placesOfTest(
  { found, problems }: InvalidTest,
  rephrased: InvalidInput,
): ProblemsDocument["problems"] {
  return found.map(({ code = "INVALID_TEST", message, position }, index) => {
    const sentence = rephrased.problems[index];
    const isReworded = sentence !== undefined && sentence !== problems[index];
    return { code, message: isReworded ? sentence : message, ...position };
  });
}
