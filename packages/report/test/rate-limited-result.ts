import type { TestResult } from "@bearhug/sdk";

import { counterMetric, latencies, rateMetric, requestsOf, resultOf, trendMetric } from "./result-of.ts";

const served = latencies(100, 300);
const rejected = latencies(200, 5);
const late = (times: readonly number[]): number[] => times.map((ms) => ms + 1);

/** A site with responses after 300 ms that rejects two of three requests immediately, so rejections dominate the times of all. */
export const rateLimited: TestResult = resultOf({
  durationMs: 10_004,
  verdict: "failed",
  exitCode: 99,
  messages: ["66.67 % of requests failed, more than 5 % (--max-failed): HTTP_429 in GET /"],
  plan: {
    scenarios: [
      { name: "requests", executor: "constant-vus", description: "3 VUs for 10 s", transport: "bearhug" },
    ],
    workers: 1,
    warmupMs: 0,
    maxDataBytes: null,
  },
  accounting: {
    ...resultOf({}).accounting,
    iterations: { ...resultOf({}).accounting.iterations, scheduled: 300, started: 300, completed: 300 },
    requests: [requestsOf("GET /", { succeeded: 100, failed: 200 })],
  },
  metrics: {
    http_reqs: counterMetric(300, 10),
    http_req_failed: rateMetric(200, 100),
    http_req_duration: trendMetric([...served, ...rejected]),
    http_req_response_time: trendMetric(late([...served, ...rejected])),
    iterations: counterMetric(300, 10),
  },
  expectedResponses: {
    http_req_duration: trendMetric(served),
    http_req_response_time: trendMetric(late(served)),
  },
  names: [
    {
      name: "GET /",
      metrics: {
        http_reqs: counterMetric(300, 10),
        http_req_failed: rateMetric(200, 100),
        http_req_duration: trendMetric([...served, ...rejected]),
      },
    },
  ],
  errors: [
    {
      code: "HTTP_429",
      cause: null,
      message: "GET http://127.0.0.1:8080/ responded with status 429",
      count: 200,
      firstAtMs: 6.1,
      origin: "http://127.0.0.1:8080",
      name: "GET /",
    },
  ],
});
