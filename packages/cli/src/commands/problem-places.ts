import type { InvalidInput } from "@bearhug/sdk";
import { InvalidTest } from "@bearhug/sdk/internal";

import type { ProblemsDocument } from "../documents/documents.ts";

/** The problems of a refusal: those of a test with their places, where they are known. */
export function placesOf(error: InvalidInput): ProblemsDocument["problems"] {
  const test = findInvalidTest(error);
  if (test === null) return error.problems.map((message) => ({ code: "INVALID_OPTION", message }));
  return test.found.map(({ message, position }) => ({ code: "INVALID_TEST", message, ...position }));
}

/** The command line may say the same in its own words, with the test's refusal as the cause. */
function findInvalidTest(error: unknown): InvalidTest | null {
  for (let one = error; one instanceof Error; one = one.cause) if (one instanceof InvalidTest) return one;
  return null;
}
