import type { TestResult } from "@bearhug/sdk";

import { passed } from "./passed-result.ts";
import { requestsOf, resultOf } from "./result-of.ts";

/** A run with a warm-up and a limit of received data. */
export const warmedUp: TestResult = resultOf({
  ...passed,
  plan: { ...passed.plan, warmupMs: 10_000, maxDataBytes: 2_000_000_000 },
  accounting: {
    ...passed.accounting,
    warmup: {
      iterations: {
        scheduled: 422,
        started: 420,
        completed: 418,
        failed: 2,
        interrupted: 0,
        dropped: 2,
        lost: 0,
      },
      requests: [
        requestsOf("GET /", { succeeded: 400, failed: 20 }),
        requestsOf("GET /style.css", { succeeded: 800 }),
      ],
    },
  },
});
