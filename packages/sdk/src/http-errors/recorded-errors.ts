import type { ErrorExplanation } from "./error-explanation.ts";

/** What else stands in the errors of a result: the exchange itself was in order. */
export const recordedErrors: Readonly<Record<"HTTP_<status>" | "TEST_THREW" | "(other)", ErrorExplanation>> =
  {
    "HTTP_<status>": {
      summary: "The answer has a status that was not expected, such as `HTTP_503`.",
      cause:
        "What the target answers under load, or a request that it does not take. 200 to 399 are expected unless `expect` says otherwise.",
      remedy:
        "Look into the target's log at the time given. Where the status is meant, say so: `expect: 404`.",
      whose: "target",
      processed: "yes",
    },
    TEST_THREW: {
      summary: "The test's own code threw; the iteration failed, and the run went on.",
      cause:
        "An error of the test, often an answer that it did not reckon with: `json()` of an error page, `throwOnError`.",
      remedy: "The source line is shown. Gate such iterations with `iteration_failed`.",
      whose: "test",
      processed: "maybe",
    },
    "(other)": {
      summary: "More than 100 different errors came up; the rest is counted together.",
      cause: "Names or causes that differ from request to request.",
      remedy: "Group requests with `name`.",
      whose: "test",
      processed: "maybe",
    },
  };
