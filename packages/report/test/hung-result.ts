import { summarizeMetric } from "@bearhug/metrics/summarize";
import { Trend } from "@bearhug/metrics/trend";
import type { TestResult } from "@bearhug/sdk";
import type { TrendResult } from "@bearhug/sdk/result";

import { judged } from "./passed-result.ts";
import { counterMetric, latencies, rateMetric, requestsOf, resultOf } from "./result-of.ts";

/** Returns a trend of these durations, and of ten lower bounds, 25 ms apart, from the end of the graceful stop. */
function cutOffMetric(values: readonly number[], fromMs: number): TrendResult {
  const trend = new Trend(3);
  for (const value of values) trend.add(value);
  for (let late = 0; late < 10; late++) trend.addLowerBound(fromMs + late * 25);
  const summary = summarizeMetric(trend, "ms", 1);
  if (summary.type !== "trend") throw new TypeError("not a trend");
  return summary;
}

const duration = cutOffMetric(latencies(790, 2), 31_000);

/** A run whose target hung halfway: unanswered requests are in the figures as lower bounds. */
export const hung: TestResult = resultOf({
  durationMs: 60_000,
  verdict: "failed",
  exitCode: 99,
  messages: [
    "threshold failed: http_req_duration: p(99)<1m (was at least 31016.3 ms: 10 of 800 requests never got a complete response)",
  ],
  plan: {
    ...resultOf({}).plan,
    scenarios: [
      {
        name: "visits",
        executor: "constant-arrival-rate",
        description: "50 iterations/s for 30 s",
        transport: "bearhug",
      },
    ],
    workers: 1,
  },
  accounting: {
    ...resultOf({}).accounting,
    iterations: {
      scheduled: 1500,
      started: 800,
      completed: 790,
      failed: 10,
      interrupted: 0,
      dropped: 700,
      lost: 0,
    },
    requests: [requestsOf("GET /", { succeeded: 790, failed: 10 })],
  },
  thresholds: [
    {
      ...judged,
      metric: "http_req_duration",
      expression: "p(99)<1m",
      passed: false,
      actual: duration.values["p(99)"] ?? 0,
      unit: "ms",
      samples: 800,
      censoredSamples: 10,
    },
    {
      ...judged,
      metric: "http_req_duration",
      expression: "p(99)>1s",
      passed: true,
      actual: duration.values["p(99)"] ?? 0,
      unit: "ms",
      samples: 800,
      censoredSamples: 10,
    },
    {
      ...judged,
      metric: "http_req_duration",
      expression: "p(95)<300ms",
      passed: true,
      actual: duration.values["p(95)"] ?? 0,
      unit: "ms",
      samples: 800,
    },
  ],
  metrics: {
    http_reqs: counterMetric(800, 60),
    http_req_failed: rateMetric(10, 790),
    http_req_duration: duration,
    http_req_response_time: cutOffMetric(latencies(790, 3), 31_002),
    http_req_waiting: duration,
    iterations: counterMetric(800, 60),
    iteration_failed: rateMetric(10, 790),
    dropped_iterations: counterMetric(700, 60),
  },
  names: [{ name: "GET /", metrics: { http_req_duration: duration } }],
  pages: [{ name: "home", metrics: { page_duration: duration } }],
  errors: [
    {
      code: "UNANSWERED",
      cause: null,
      message: "http://127.0.0.1:8080 had not responded when gracefulStop (30000 ms) ran out",
      count: 10,
      firstAtMs: 60_000,
      name: "GET /",
    },
  ],
});
