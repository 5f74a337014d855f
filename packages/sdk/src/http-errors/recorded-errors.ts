import type { ErrorExplanation } from "./error-explanation.ts";

/** Errors of a result whose HTTP exchange itself was complete. */
export const recordedErrors: Readonly<Record<"HTTP_<status>" | "TEST_THREW" | "(other)", ErrorExplanation>> =
  {
    "HTTP_<status>": {
      summary: "The response has an unexpected status, such as `HTTP_503`.",
      cause:
        "The target fails under load, or it rejects this request. Statuses 200 to 399 are expected unless `expect` says otherwise.",
      remedy: "Check the target's log at that time. If the status is intended, expect it: `expect: 404`.",
      whose: "target",
      processed: "yes",
    },
    TEST_THREW: {
      summary: "The test's own code threw an exception; the iteration failed, and the run continued.",
      cause:
        "A bug in the test, or a response that it did not expect: `json()` on an error page, or `throwOnError`.",
      remedy:
        "Fix the source line shown with the error. To limit such iterations, set a threshold on `iteration_failed`.",
      whose: "test",
      processed: "maybe",
    },
    "(other)": {
      summary: "More than 100 different errors occurred; the rest are counted together.",
      cause: "Names or causes differ from request to request.",
      remedy: "Group requests with `name`.",
      whose: "test",
      processed: "maybe",
    },
  };
