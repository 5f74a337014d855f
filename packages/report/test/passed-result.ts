import type { TestResult } from "@bearhug/sdk";

import {
  counterMetric,
  processOf,
  latencies,
  rateMetric,
  requestsOf,
  resultOf,
  trendMetric,
  trendSeries,
} from "./result-of.ts";

const seconds = 90;
const home = latencies(2000, 4);
const files = latencies(6000, 1.2);
const flakyFine = latencies(380, 2);
const flakyFailed = latencies(20, 0.4);
const signups = latencies(1800, 12);
const requests = [...home, ...files, ...flakyFine, ...flakyFailed, ...signups];
const iterations = latencies(3800, 800);

const position = { file: "examples/front-page.ts", line: 31, column: 5 };
export const judged = { samples: 1234, window: null, allowEmpty: false, source: position };

/** A passed run with nearly everything that a report can show. */
export const passed: TestResult = resultOf({
  durationMs: 90_012.4,
  plan: {
    scenarios: [
      { name: "readers", executor: "constant-vus", description: "50 VUs for 1 m 30 s", transport: "bearhug" },
      {
        name: "signups",
        executor: "constant-arrival-rate",
        description: "20 iterations/s for 1 m 30 s",
        transport: "bearhug",
      },
    ],
    workers: 2,
    warmupMs: 0,
    maxDataBytes: null,
  },
  generator: {
    verdict: "healthy",
    reasons: [],
    workers: [
      {
        id: 0,
        utilization: 0.41,
        loopDelayP95Ms: 1.2,
        loopDelayP99Ms: 1.2,
        scheduleLagP95Ms: 0.8,
        scheduleLagP99Ms: 0.8,
        pauses: null,
        lost: null,
      },
      {
        id: 1,
        utilization: 0.38,
        loopDelayP95Ms: 1.1,
        loopDelayP99Ms: 1.1,
        scheduleLagP95Ms: 0.9,
        scheduleLagP99Ms: 0.9,
        pauses: null,
        lost: null,
      },
    ],
    process: processOf({}),
  },
  accounting: {
    ...resultOf({}).accounting,
    iterations: {
      scheduled: 3800,
      started: 3800,
      completed: 3800,
      failed: 0,
      interrupted: 0,
      dropped: 0,
      lost: 0,
    },
    requests: [
      requestsOf("GET /", { succeeded: 2000 }),
      requestsOf("GET /style.css", { succeeded: 6000 }),
      requestsOf("GET /flaky", { succeeded: 380, failed: 20 }),
      requestsOf("POST /signup", { succeeded: 1800 }),
    ],
  },
  thresholds: [
    {
      ...judged,
      metric: "http_req_failed",
      expression: "rate<1%",
      passed: true,
      actual: 20 / 10_200,
      unit: null,
    },
    {
      ...judged,
      metric: "http_req_duration",
      expression: "p(95)<300ms",
      passed: true,
      actual: 41.234,
      unit: "ms",
    },
    {
      ...judged,
      metric: "http_req_duration{page:home}",
      expression: "p(95)<500ms",
      passed: true,
      actual: 18.2,
      unit: "ms",
    },
    { ...judged, metric: "basket_size", expression: "avg<10", passed: true, actual: 2.981, unit: null },
  ],
  checks: [
    {
      name: "status is 200",
      scenario: "readers",
      page: "home",
      group: null,
      passes: 2000,
      fails: 0,
      exception: null,
    },
    {
      name: "is fine",
      scenario: "readers",
      page: null,
      group: null,
      passes: 380,
      fails: 20,
      exception: null,
    },
    {
      name: "is signed up",
      scenario: "signups",
      page: null,
      group: null,
      passes: 1800,
      fails: 0,
      exception: null,
    },
  ],
  metrics: {
    http_reqs: counterMetric(10_200, seconds),
    http_req_failed: rateMetric(20, 10_180),
    iterations: counterMetric(3800, seconds),
    iteration_failed: rateMetric(0, 3800),
    data_received: counterMetric(51_234_567, seconds, "bytes"),
    data_sent: counterMetric(2_100_000, seconds, "bytes"),
    http_req_duration: {
      ...trendMetric(requests),
      confidence: { "p(99)": [45.9, 49.8] },
    },
    http_req_response_time: trendMetric(requests.map((ms) => ms + 0.3)),
    http_req_blocked: trendMetric(requests.map(() => 0.02)),
    http_req_sending: trendMetric(requests.map(() => 0.031)),
    http_req_waiting: trendMetric(requests),
    http_req_connecting: trendMetric(requests.map(() => 0)),
    iteration_duration: trendMetric(iterations),
    iteration_response_time: trendMetric(iterations),
    basket_size: trendMetric(
      Array.from({ length: 1800 }, (_, index) => 1 + (index % 5)),
      null,
    ),
    coupons_used: counterMetric(412, seconds),
    queue_length: { type: "gauge", unit: null, values: { value: 4, min: 0, max: 17 } },
    has_coupon: rateMetric(412, 1388),
  },
  series: [
    trendSeries("page_duration", { scenario: "readers", page: "home" }, [1, 2, 3]),
    trendSeries("http_req_duration", { scenario: "readers", name: "GET /flaky", status: "200" }, flakyFine),
    trendSeries("http_req_duration", { scenario: "readers", name: "GET /flaky", status: "503" }, flakyFailed),
  ],
  pages: [
    {
      name: "home",
      metrics: {
        page_duration: trendMetric(latencies(2000, 15)),
        page_bytes: trendMetric([35_000, 36_500], "bytes"),
        http_req_failed: rateMetric(0, 8000),
      },
    },
  ],
  names: [
    { name: "GET /", metrics: { http_req_duration: trendMetric(home) } },
    { name: "GET /style.css", metrics: { http_req_duration: trendMetric(files) } },
    { name: "GET /flaky", metrics: { http_req_duration: trendMetric([...flakyFine, ...flakyFailed]) } },
    { name: "POST /signup", metrics: { http_req_duration: trendMetric(signups) } },
  ],
  scenarios: [
    {
      name: "readers",
      metrics: {
        iterations: counterMetric(2000, seconds),
        iteration_failed: rateMetric(0, 2000),
        http_reqs: counterMetric(8400, seconds),
        http_req_failed: rateMetric(20, 8380),
        http_req_duration: trendMetric([...home, ...files, ...flakyFine, ...flakyFailed]),
      },
    },
    {
      name: "signups",
      metrics: {
        iterations: counterMetric(1800, seconds),
        iteration_failed: rateMetric(0, 1800),
        http_reqs: counterMetric(1800, seconds),
        http_req_failed: rateMetric(0, 1800),
        http_req_duration: trendMetric(signups),
      },
    },
  ],
  groups: [
    {
      name: "sign up::confirm",
      metrics: {
        group_duration: trendMetric(signups.map((ms) => ms + 5)),
        http_reqs: counterMetric(1800, seconds),
        http_req_failed: rateMetric(0, 1800),
        http_req_duration: trendMetric(signups),
      },
    },
  ],
  errors: [
    {
      code: "HTTP_503",
      cause: null,
      message: "GET http://127.0.0.1:8080/flaky answered with status 503",
      count: 20,
      firstAtMs: 1030,
      name: "GET /flaky",
    },
  ],
});
