import { InvalidInput } from "@bearhug/sdk";
import { InvalidTest } from "@bearhug/sdk/internal";

import type { ProblemsDocument } from "../documents/documents.ts";

/** Runs whose test, load or target differ: they say nothing of each other. */
export class Incomparable extends InvalidInput {}

/** The problems of a refusal: those of a test with their places, where they are known. */
export function placesOf(error: InvalidInput): ProblemsDocument["problems"] {
  // The command line may say the same in its own words, with the refusal as the cause.
  for (let one: unknown = error; one instanceof Error; one = one.cause) {
    if (one instanceof InvalidTest)
      return one.found.map(({ message, position }) => ({ code: "INVALID_TEST", message, ...position }));
    if (one instanceof Incomparable)
      return error.problems.map((message) => ({ code: "INCOMPARABLE", message }));
  }
  return error.problems.map((message) => ({ code: "INVALID_OPTION", message }));
}
