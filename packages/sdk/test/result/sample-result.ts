import type { TestResult } from "../../src/index.ts";

const requests = [
  { name: "GET /", started: 10, sent: 10, succeeded: 8, failed: 1, interrupted: 1, lost: 0 },
] as const;

const figure = { value: 1, interval: [0.5, 1.5], isLowerBound: false } as const;
const figures = {
  wireBytes: figure,
  decodedBytes: figure,
  requestsPerSecond: figure,
  bytesPerSecond: figure,
  p50: figure,
  p90: figure,
  p99: figure,
  failed: { value: null, interval: null, isLowerBound: false },
};
const difference = { change: 0.1, interval: [0.05, 0.15], isReal: true } as const;
const differences = {
  wireBytes: difference,
  requestsPerSecond: difference,
  p50: difference,
  p90: difference,
  p99: difference,
  failed: { change: null, interval: null, isReal: false },
};

/** A result with every property, also optional ones, in which every union has each of its members. */
export const sampleResult: TestResult = {
  schema: "bearhug/result@1",
  tool: { name: "bearhug", version: "0.1.0", node: "24.21.0" },
  test: { name: "front page", file: "examples/front-page.ts", target: "http://127.0.0.1:8080" },
  startedAt: "2026-11-20T20:00:00.000Z",
  durationMs: 90_012.4,
  seed: 4242,
  plan: {
    scenarios: [
      {
        name: "readers",
        executor: "constant-vus",
        description: "10 virtual users for 90 s",
        transport: "bearhug",
      },
    ],
    workers: 2,
    warmupMs: 5000,
    maxDataBytes: 10_000_000_000,
  },
  environment: { os: "linux 6.8 x64", cores: 2, memoryMb: 24_000 },
  shard: { index: 0, count: 2 },
  truncated: false,
  verdict: "failed",
  exitCode: 99,
  notes: [],
  messages: ["http_req_duration{page:home}: p(95)<200ms did not hold: it was 212.4 ms."],
  generator: {
    verdict: "strained",
    reasons: ["worker 1 was lost"],
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
        utilization: null,
        loopDelayP95Ms: null,
        loopDelayP99Ms: null,
        scheduleLagP95Ms: null,
        scheduleLagP99Ms: null,
        pauses: null,
        lost: "ran out of heap",
      },
    ],
    process: {
      cpuCores: 0.82,
      peakCpuCores: 1.04,
      waitingCores: 0.1,
      memoryMb: 140.5,
      peakMemoryMb: 212.4,
      peakConnections: 12,
      peakOpenFiles: null,
      peakReceivedBytesPerSecond: 612_000,
      peakSentBytesPerSecond: 25_000,
      throttling: { periods: 100, throttledPeriods: 3, throttledMs: 41.5 },
      link: { name: "eth0", bitsPerSecond: 1e9, peakBitsPerSecond: 5_200_000 },
      stalls: [{ atMs: 5_300, durationMs: 1_350 }],
      limits: { cores: 1.5, memoryMb: 2048, openFiles: 20_000, localPorts: null },
    },
  },
  accounting: {
    iterations: { scheduled: 12, started: 10, completed: 7, failed: 1, interrupted: 1, dropped: 2, lost: 1 },
    requests,
    setup: { requests },
    teardown: { requests: [] },
    warmup: {
      iterations: { scheduled: 3, started: 3, completed: 3, failed: 0, interrupted: 0, dropped: 0, lost: 0 },
      requests,
    },
  },
  thresholds: [
    {
      metric: "http_req_duration{page:home}",
      expression: "p(95)<200ms",
      passed: false,
      actual: 212.4,
      unit: "ms",
      samples: 1234,
      window: { widthMs: 10_000, failedAtMs: 31_000 },
      allowEmpty: false,
      source: { file: "examples/front-page.ts", line: 31, column: 5 },
    },
    {
      metric: "checks",
      expression: "rate>99%",
      passed: null,
      actual: null,
      unit: null,
      samples: 0,
      window: null,
      allowEmpty: true,
      source: null,
    },
  ],
  checks: [
    {
      name: "status is 200",
      scenario: "readers",
      page: "home",
      group: null,
      passes: 4012,
      fails: 0,
      exception: null,
    },
    { name: "logged in", scenario: "readers", page: null, group: null, passes: 0, fails: 3, exception: null },
  ],
  metrics: {
    http_reqs: { type: "counter", unit: null, values: { count: 16_048, rate: 178.3 } },
    vus: { type: "gauge", unit: null, values: { value: 0, min: 0, max: 10 } },
    checks: { type: "rate", unit: null, values: { rate: 0.5, passes: 3, fails: 3 } },
    page_bytes: {
      type: "trend",
      unit: "bytes",
      values: { count: 1, min: 5, avg: 5, med: 5, max: 5 },
    },
    http_req_duration: {
      type: "trend",
      unit: "ms",
      values: { count: 16_048, min: 1.1, avg: 9.2, med: 7.9, max: 88.1, "p(95)": 21, "p(99.9)": 80.1 },
      confidence: { "p(95)": [20.2, 21.9] },
    },
  },
  series: [
    {
      metric: "http_req_duration",
      tags: { scenario: "readers", page: "home", name: "GET /", status: "200" },
      values: { count: 16_048 },
      histogram: "HISTFAAA",
    },
    { metric: "http_reqs", tags: {}, values: { count: 16_048 }, histogram: null },
  ],
  scenarios: [
    {
      name: "readers",
      metrics: { iterations: { type: "counter", unit: null, values: { count: 2, rate: 0.1 } } },
    },
  ],
  groups: [],
  pages: [],
  names: [],
  intervals: [
    {
      atMs: 1000,
      widthMs: 1000,
      vus: 2,
      http_reqs: 18,
      http_reqs_failed: 0,
      iterations: 6,
      dropped: 0,
      bytes: 51_234,
      duration: "HISTFAAA",
      responseTime: null,
    },
  ],
  unmeasured: [
    {
      host: "db.example:5432",
      stage: "setup",
      requests: 0,
      connections: 2,
      refused: 0,
      source: { file: "examples/front-page.ts", line: 9, column: 5 },
    },
    { host: "api.example:443", stage: "load", requests: 14, connections: 3, refused: 0, source: null },
  ],
  monitors: [
    {
      name: "server",
      source: "http://10.0.0.5:9100/metrics",
      gauges: [
        {
          metric: "server.cpu",
          unit: "%",
          values: { value: 80, avg: 60, min: 40, max: 80 },
          points: [40, 80],
        },
      ],
      gaps: [{ fromMs: 2000, toMs: 3000, reason: "connection refused" }],
    },
  ],
  errors: [
    {
      code: "CONNECTION_REFUSED",
      cause: "ECONNREFUSED",
      message: "127.0.0.1:8080 refused the connection.",
      count: 12,
      firstAtMs: 1030,
      name: "GET /",
    },
    {
      code: "EXCEPTION",
      cause: null,
      message: "Cannot read properties of undefined",
      count: 1,
      firstAtMs: 2030,
      name: "readers",
      source: { file: "examples/front-page.ts", line: 12, column: 7 },
      frame: "> 12 | data.users[0].name",
    },
    {
      code: "EXCEPTION",
      cause: null,
      message: "null was thrown",
      count: 1,
      firstAtMs: 2031,
      name: "readers",
      source: null,
      frame: null,
    },
  ],
  variants: {
    turnMs: 500,
    changeoverMs: 100,
    blocks: 10,
    stretches: 10,
    leastStretches: 8,
    longIterationMs: null,
    variants: [
      { name: "plain", requests: 10, failures: 0, figures, differences: null, histogram: null },
      { name: "br", requests: 10, failures: 0, figures, differences, histogram: "HISTFAAA" },
    ],
  },
};
