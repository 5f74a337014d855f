import { InvalidInput } from "@bearhug/sdk";
import { InvalidTest } from "@bearhug/sdk/internal";

import type { PlacedProblem, ProblemsDocument } from "../documents/documents.ts";
import { describeProblem } from "./write/chosen-tests.ts";

/** Runs whose test, load or target differ: they say nothing of each other. */
export class Incomparable extends InvalidInput {}

/** Tests that were checked before any of them ran, with the problems that were found. */
export class InvalidTests extends InvalidInput {
  readonly found: readonly PlacedProblem[];
  constructor(found: readonly PlacedProblem[]) {
    super(found.map(describeProblem));
    this.found = found;
  }
}

/** The problems of a refusal: those of a test with their places, where they are known. */
export function placesOf(error: InvalidInput): ProblemsDocument["problems"] {
  // The command line may say the same in its own words, with the refusal as the cause.
  for (let one: unknown = error; one instanceof Error; one = one.cause) {
    if (one instanceof InvalidTests) return one.found;
    if (one instanceof InvalidTest) return placesOfTest(one, error);
    if (one instanceof Incomparable)
      return error.problems.map((message) => ({ code: "INCOMPARABLE", message }));
  }
  return error.problems.map((message) => ({ code: "INVALID_OPTION", message }));
}

/** A sentence that the command line says in its own words stays as it is there. */
function placesOfTest({ found, problems }: InvalidTest, told: InvalidInput): ProblemsDocument["problems"] {
  return found.map(({ code = "INVALID_TEST", message, position }, index) => {
    const sentence = told.problems[index];
    const isReworded = sentence !== undefined && sentence !== problems[index];
    return { code, message: isReworded ? sentence : message, ...position };
  });
}
