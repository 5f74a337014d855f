import type { IntervalSnapshot, RunDescription, ThresholdStanding } from "@bearhug/sdk";

import type { LiveState } from "../../src/terminal/live/live-state.ts";
import { scenarioOf, snapshotOf } from "../snapshot-of.ts";

export const run: RunDescription = {
  test: { name: "front page", file: "load/front-page.ts", target: "http://127.0.0.1:8080" },
  seed: 7,
  plan: {
    scenarios: [
      {
        name: "browse",
        executor: "constant-arrival-rate" as const,
        description: "50 iterations/s for 30 s",
      },
      { name: "checkout", executor: "constant-vus" as const, description: "5 VUs for 30 s" },
    ].map((one) => ({ ...one, transport: "bearhug" })),
    workers: 1,
    warmupMs: 0,
    maxDataBytes: null,
  },
};

/** A load that ramps up for 15 s, with an occasional slow request. */
const past: readonly IntervalSnapshot[] = Array.from({ length: 24 }, (_, index) =>
  snapshotOf({
    atMs: (index + 1) * 1000,
    requestRate: 12 * Math.min(15, index + 1),
    p50Ms: 8 + (index % 3) / 4,
    p95Ms: 18 + (index % 7),
    p99Ms: index % 9 === 8 ? 130 : 40 + (index % 5),
    failedRate: index > 18 && index % 2 === 0 ? 0.02 : 0,
  }),
);

const browse = scenarioOf({ plannedRate: 50, iterationRate: 49.8, vus: 12, iterations: 604 });
const checkout = scenarioOf({ name: "checkout", iterationRate: 3.21, vus: 5, iterations: 38 });

const held: ThresholdStanding = {
  metric: "http_req_failed",
  expression: "rate<1%",
  passed: true,
  actual: 0.0041,
  unit: null,
  isShare: true,
};

const strained: IntervalSnapshot["generator"] = {
  verdict: "strained",
  reasons: ["worker 0 was busy 91 % of the time: add workers or lower the load; latencies are upper bounds"],
};

/** States of runs at different moments, as a live view renders them. The names are also those of golden files. */
export const states = {
  "a run that has measured nothing yet": { run, snapshots: [], sinceMs: 2500 },
  "a warm-up": {
    run,
    sinceMs: 0,
    snapshots: [
      snapshotOf({ isWarmup: true, atMs: 3000, requestRate: 0, p50Ms: null, p95Ms: null, p99Ms: null }),
    ],
  },
  "one scenario": { run, snapshots: past.slice(0, 12).concat(snapshotOf()), sinceMs: 350 },
  "two scenarios that go well": {
    run,
    sinceMs: 0,
    snapshots: [...past, snapshotOf({ atMs: 25_000, scenarios: [browse, checkout], thresholds: [held] })],
  },
  "errors, a threshold that fails, and a generator that is strained": {
    run,
    sinceMs: 0,
    snapshots: [
      ...past,
      snapshotOf({
        atMs: 25_000,
        failedRate: 0.004,
        requests: 1_604_800,
        receivedBytes: 51e6,
        expectedBytes: 128e6,
        scenarios: [
          { ...browse, iterationRate: 31.2, dropped: 1240 },
          { ...checkout, plannedIterations: 100, leftMs: null, progress: 0.38 },
          scenarioOf({ name: "later", plannedRate: 0, progress: 0, startsInMs: 12_000, leftMs: 30_000 }),
        ],
        errors: [
          { code: "HTTP_503", count: 64, name: "GET /cart" },
          { code: "CONNECTION_REFUSED", count: 3, name: "GET /search" },
        ],
        thresholds: [
          { ...held, passed: false, actual: 0.0121 },
          {
            metric: "http_req_duration",
            expression: "p(95)<30ms",
            passed: true,
            actual: 21.04,
            unit: "ms",
            isShare: false,
          },
          { ...held, metric: "checks", expression: "rate>99%", passed: null, actual: null },
          { ...held, metric: "logins_ok", expression: "rate>90%", actual: 0.95 },
        ],
        generator: strained,
      }),
    ],
  },
  "a step of a sweep": {
    run,
    sinceMs: 0,
    caption: "step 3 of 8: 4 connections",
    snapshots: [...past.slice(0, 5), snapshotOf({ atMs: 5000 })],
  },
  "agents that are missing": {
    run,
    sinceMs: 0,
    snapshots: [snapshotOf({ missingAgents: ["web-1", "web-3", "web-4", "web-7", "web-9"] })],
  },
  "variants that take turns": {
    run,
    sinceMs: 1200,
    snapshots: [snapshotOf({ turn: { variant: "br", lastsMs: 10_000, leftMs: 8000 } })],
  },
  "variants that take short turns": {
    run,
    sinceMs: 1200,
    snapshots: [snapshotOf({ turn: { variant: "br", lastsMs: 250, leftMs: 250 } })],
  },
  "monitors, one of which cannot be read": {
    run,
    sinceMs: 0,
    snapshots: [
      ...past,
      snapshotOf({
        atMs: 25_000,
        monitors: [
          {
            name: "server",
            gap: null,
            gauges: [
              { metric: "server.cpu", unit: "%", value: 61.24 },
              { metric: "server.descriptors", unit: null, value: 1240 },
              { metric: "server.memory", unit: "bytes", value: 3.12e9 },
              { metric: "server.memory_percent", unit: "%", value: 41.9 },
              { metric: "server.network_received", unit: "bytes/s", value: 512_400 },
            ],
          },
          { name: "db", gap: "connection refused", gauges: [] },
        ],
      }),
    ],
  },
  "the end": {
    run,
    sinceMs: 400,
    snapshots: [
      ...past,
      snapshotOf({
        atMs: 30_000,
        scenarios: [
          { ...browse, progress: 1, leftMs: 0, vus: 2 },
          { ...checkout, progress: 1, leftMs: 0, vus: 0 },
        ],
      }),
    ],
  },
} satisfies Record<string, LiveState>;
