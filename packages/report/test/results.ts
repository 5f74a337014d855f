import { type TestResult } from "@bearhug/sdk";

import { judged, passed } from "./passed-result.ts";
import { counterMetric, latencies, rateMetric, requestsOf, resultOf, trendMetric } from "./result-of.ts";

export { passed };
export { exemplary } from "./exemplary-result.ts";
export { hung } from "./hung-result.ts";
export { monitored } from "./monitored-result.ts";
export { rateLimited } from "./rate-limited-result.ts";
export { stalled } from "./stalled-result.ts";
export { varied } from "./varied-result.ts";
export { warmedUp } from "./warmed-up-result.ts";

/** A merged run that lacks the end of one of its shards. */
export const partial: TestResult = resultOf({
  ...passed,
  notes: ["merged from 2 shards"],
  partial: [
    "shard 2 of 2 was lost after 12 s of load: part-2.bearhug ends there: its process was killed, or the copy is incomplete",
  ],
});

/** A failed run with thresholds of every outcome. */
export const failed: TestResult = resultOf({
  ...passed,
  verdict: "failed",
  exitCode: 99,
  thresholds: [
    {
      ...judged,
      metric: "http_req_failed",
      expression: "rate<1%",
      passed: true,
      actual: 0.00196,
      unit: null,
    },
    {
      ...judged,
      metric: "http_req_duration",
      expression: "p(95)<300ms",
      passed: false,
      actual: 300.4,
      unit: "ms",
    },
    { ...judged, metric: "checks", expression: "rate>=100%", passed: false, actual: 0.999_996, unit: null },
    {
      ...judged,
      metric: "http_req_duration{page:checkout,status!:500}",
      expression: "p(99)<1s",
      passed: false,
      actual: 1480,
      unit: "ms",
      window: { widthMs: 10_000, failedAtMs: 45_000 },
    },
    {
      ...judged,
      metric: "basket_size",
      expression: "avg<10",
      passed: false,
      actual: null,
      unit: null,
      samples: 0,
    },
    {
      ...judged,
      metric: "coupons_used",
      expression: "count<5",
      passed: true,
      actual: null,
      unit: null,
      samples: 0,
      allowEmpty: true,
    },
  ],
});

/** A run whose target refuses connections. */
export const refused: TestResult = resultOf({
  durationMs: 10_004,
  verdict: "failed",
  exitCode: 99,
  messages: ["no request succeeded: CONNECTION_REFUSED at 127.0.0.1:8080 (is the server up?)"],
  plan: {
    scenarios: [
      { name: "requests", executor: "constant-vus", description: "2 VUs for 10 s", transport: "bearhug" },
    ],
    workers: 1,
    warmupMs: 0,
    maxDataBytes: null,
  },
  generator: {
    verdict: "healthy",
    reasons: [],
    workers: [
      {
        id: 0,
        utilization: 0.02,
        loopDelayP95Ms: 1.2,
        loopDelayP99Ms: 1.2,
        scheduleLagP95Ms: null,
        scheduleLagP99Ms: null,
        pauses: null,
        lost: null,
      },
    ],
    process: null,
  },
  accounting: {
    ...resultOf({}).accounting,
    iterations: {
      scheduled: 176,
      started: 176,
      completed: 176,
      failed: 0,
      interrupted: 0,
      dropped: 0,
      lost: 0,
    },
    requests: [{ ...requestsOf("GET /", { failed: 176 }), sent: 0 }],
  },
  metrics: {
    http_reqs: counterMetric(176, 10),
    http_req_failed: rateMetric(176, 0),
    iterations: counterMetric(176, 10),
    iteration_duration: trendMetric(latencies(176, 100)),
    iteration_response_time: trendMetric(latencies(176, 100)),
  },
  errors: [
    {
      code: "CONNECTION_REFUSED",
      cause: "ECONNREFUSED",
      message: "http://127.0.0.1:8080: connection refused; check the port and firewall",
      count: 176,
      firstAtMs: 3.2,
      origin: "http://127.0.0.1:8080",
      name: "GET /",
    },
  ],
});

/** A run in which a worker died, the test threw in another, and the generator was saturated. */
export const lostWorker: TestResult = resultOf({
  ...refused,
  verdict: "errored",
  exitCode: 109,
  messages: [
    "worker 1 ran out of heap in scenario checkout",
    "the load generator was saturated, so the times measure the generator more than the target",
  ],
  generator: {
    verdict: "saturated",
    reasons: ["worker 0 was busy 97 % of the time: add workers or machines", "1 worker was lost"],
    workers: [
      {
        id: 0,
        utilization: 0.97,
        loopDelayP95Ms: 84,
        loopDelayP99Ms: 84,
        scheduleLagP95Ms: 120,
        scheduleLagP99Ms: 120,
        pauses: null,
        lost: null,
      },
      {
        id: 1,
        utilization: null,
        loopDelayP95Ms: null,
        loopDelayP99Ms: null,
        scheduleLagP95Ms: null,
        scheduleLagP99Ms: null,
        pauses: null,
        lost: "ran out of heap in scenario checkout",
      },
    ],
    process: null,
  },
  accounting: {
    ...resultOf({}).accounting,
    iterations: {
      scheduled: 2100,
      started: 2057,
      completed: 1990,
      failed: 12,
      interrupted: 5,
      dropped: 43,
      lost: 50,
    },
    requests: [requestsOf("GET /", { succeeded: 1990, failed: 12, interrupted: 5, lost: 50 })],
  },
  errors: [
    {
      code: "TEST_THREW",
      cause: null,
      message: "TypeError: Cannot read properties of undefined (reading 'name')",
      count: 12,
      firstAtMs: 770,
      name: "checkout",
      source: { file: "examples/checkout.ts", line: 31, column: 52 },
      frame: [
        '  29 |         await think("100ms", "400ms");',
        "  30 |         const user = data.users[iteration.index];",
        '> 31 |         await http.post("/signup", { json: { user: user.name } });',
        "     |                                                    ^",
        "  32 |       },",
      ].join("\n"),
    },
  ],
});

/** A run that was interrupted with Ctrl-C: thresholds were not judged, but its figures are reported. */
export const interrupted: TestResult = resultOf({
  ...passed,
  durationMs: 12_345,
  verdict: "interrupted",
  exitCode: 105,
  messages: ["interrupted by SIGINT; thresholds were not evaluated"],
  thresholds: passed.thresholds.map((threshold, index) => ({
    ...threshold,
    passed: null,
    actual: index === 0 ? threshold.actual : null,
  })),
  accounting: {
    ...passed.accounting,
    iterations: {
      scheduled: 3900,
      started: 3900,
      completed: 3800,
      failed: 0,
      interrupted: 100,
      dropped: 0,
      lost: 0,
    },
  },
});

export const empty: TestResult = resultOf({
  test: { name: "front page", file: null, target: null },
  verdict: "errored",
  exitCode: 107,
  messages: ["setup threw: Error: no users"],
});

/** The target responds with a page where one check expects JSON; another check throws for only a few responses. */
export const brokenChecks: TestResult = resultOf({
  ...passed,
  verdict: "failed",
  exitCode: 99,
  messages: [
    'check "has users" in scenario readers threw in all 380 evaluations at test.ts:14:48: SyntaxError: no JSON',
  ],
  thresholds: [],
  checks: [
    {
      name: "has users",
      scenario: "readers",
      page: null,
      group: null,
      passes: 0,
      fails: 380,
      exception: {
        count: 380,
        message: "SyntaxError: no JSON: the body begins with <!doctype html>",
        firstAtMs: 12.5,
        source: { file: "test.ts", line: 14, column: 48 },
        frame:
          '  13 | check(answer, {\n> 14 |   "has users": (r) => r.json().users.length > 0,\n     |                         ^',
      },
    },
    {
      name: "has a name",
      scenario: "readers",
      page: "home",
      group: null,
      passes: 360,
      fails: 20,
      exception: {
        count: 3,
        message: "TypeError: \u001b[31mno text",
        firstAtMs: 40,
        source: null,
        frame: null,
      },
    },
  ],
});

/** A run with more checks, requests and errors than fit on a screen. */
export const crowded: TestResult = resultOf({
  ...passed,
  thresholds: [],
  checks: Array.from({ length: 32 }, (_, index) => ({
    name: `check ${index}`,
    scenario: "readers",
    page: null,
    group: null,
    passes: 100,
    fails: index === 31 ? 1 : 0,
    exception: null,
  })),
  accounting: {
    ...passed.accounting,
    requests: Array.from({ length: 32 }, (_, index) =>
      requestsOf(`GET /a/path/that/is/too/long/for/a/table/of/eighty/columns/${index}/and/ends/here`, {
        succeeded: 32 - index,
      }),
    ),
  },
  errors: Array.from({ length: 14 }, (_, index) => ({
    code: `HTTP_${500 + index}`,
    cause: null,
    message: `answered with status ${500 + index}`,
    count: 100 - index,
    firstAtMs: index * 1000,
    name: "GET /",
  })),
});

export { foundCapacity } from "./found-capacity.ts";
