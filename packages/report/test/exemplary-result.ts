import type { TestResult } from "@bearhug/sdk";

import { exemplars, failedExchange } from "./exemplars.ts";
import { judged, passed } from "./passed-result.ts";
import { resultOf } from "./result-of.ts";

const { code, message, name } = failedExchange;

/** A failed run whose errors and pages have exemplars. */
export const exemplary: TestResult = resultOf({
  ...passed,
  verdict: "failed",
  exitCode: 99,
  thresholds: [
    {
      ...judged,
      metric: "http_req_failed",
      expression: "rate<1%",
      passed: false,
      actual: 0.25,
      unit: null,
    },
  ],
  errors: [{ code, cause: null, message, count: 20, firstAtMs: 108.7, name }],
  exemplars,
});
