import type { TestResult } from "@bearhug/sdk";

import { judged } from "./passed-result.ts";
import { counterMetric, latencies, rateMetric, requestsOf, resultOf, trendMetric } from "./result-of.ts";

const requests = latencies(840, 3.2);

/** An open model whose target stalled: iterations waited, and many were dropped. */
export const stalled: TestResult = resultOf({
  durationMs: 10_310,
  plan: {
    ...resultOf({}).plan,
    scenarios: [
      {
        name: "visitors",
        executor: "constant-arrival-rate",
        description: "200 iterations/s for 10 s, at most 50 VUs, starting after 5 s, no gracefulStop",
        transport: "bearhug",
      },
      {
        name: "orders",
        executor: "per-vu-iterations",
        description: "10 iterations for each of 4 VUs",
        transport: "bearhug",
      },
    ],
    workers: 1,
  },
  verdict: "failed",
  exitCode: 99,
  generator: {
    ...resultOf({}).generator,
    workers: [
      {
        id: 0,
        utilization: 0.2,
        loopDelayP95Ms: 1.3,
        loopDelayP99Ms: 1.3,
        scheduleLagP95Ms: 0.4,
        scheduleLagP99Ms: 0.4,
        pauses: null,
        lost: null,
      },
    ],
  },
  accounting: {
    ...resultOf({}).accounting,
    iterations: {
      scheduled: 2040,
      started: 833,
      completed: 833,
      failed: 0,
      interrupted: 0,
      dropped: 1207,
      lost: 0,
    },
    requests: [requestsOf("GET /", { succeeded: 840 })],
  },
  thresholds: [
    {
      ...judged,
      metric: "http_req_duration",
      expression: "p(95)<300ms",
      passed: false,
      actual: 1410,
      unit: "ms",
      samples: 43,
      window: { widthMs: 2000, failedAtMs: 6000 },
    },
    {
      ...judged,
      metric: "http_req_duration",
      expression: "med<300ms",
      passed: true,
      actual: 4.1,
      unit: "ms",
      samples: 7,
    },
    {
      ...judged,
      metric: "http_req_duration",
      expression: "p(95)<2s",
      passed: true,
      actual: 1410,
      unit: "ms",
      samples: 110,
      window: { widthMs: 2000, failedAtMs: null },
    },
  ],
  metrics: {
    http_reqs: counterMetric(840, 10),
    http_req_failed: rateMetric(0, 840),
    iterations: counterMetric(833, 10),
    http_req_duration: { ...trendMetric(requests), confidence: { "p(99)": [15.3, 17.9] } },
    http_req_response_time: trendMetric(requests.map((ms, index) => ms + (index > 600 ? 1300 : 0))),
    http_req_blocked: trendMetric(requests.map(() => 0.02)),
    iteration_duration: trendMetric(requests),
    iteration_response_time: trendMetric(requests.map((ms, index) => ms + (index > 600 ? 1300 : 0))),
    vu_wait: trendMetric(requests.map((_, index) => (index > 600 ? 1299 : 0))),
    schedule_lag: trendMetric(requests.map(() => 0.4)),
    vus: { type: "gauge", unit: null, values: { value: 3, min: 1, max: 50 } },
    vus_max: { type: "gauge", unit: null, values: { value: 50, min: 10, max: 50 } },
  },
  series: [
    {
      metric: "dropped_iterations",
      tags: { scenario: "visitors", reason: "busy" },
      values: { count: 1204, rate: 120.4 },
      histogram: null,
    },
    {
      metric: "dropped_iterations",
      tags: { scenario: "orders", reason: "time" },
      values: { count: 3, rate: 0.3 },
      histogram: null,
    },
  ],
});
