import { Trend } from "@bearhug/metrics/trend";
import type { WorkerSnapshot } from "@bearhug/plan/protocol/messages";

import { builtInClients } from "../../src/built-in-clients.ts";
import { exemplars } from "../../../report/test/exemplars.ts";
import type { RecordedMoment, RecordedRun } from "../../src/outcome/run-record.ts";

export const recordedRun: RecordedRun = {
  file: "test.ts",
  beganAt: "2026-11-21T10:00:00.000Z",
  isStrictGenerator: false,
  allowsPartial: false,
  shard: null,
  plan: {
    testName: "front page",
    seed: 7,
    baseUrl: "http://127.0.0.1:8080",
    allowHosts: [],
    clients: builtInClients.map(({ name, metrics, roles }) => ({ name, metrics, roles })),
    metrics: { basket: { type: "trend", unit: null } },
    workers: 1,
    warmupMs: 0,
    maxDataBytes: null,
    scenarios: [
      {
        scenario: {
          name: "readers",
          executor: "constant-vus",
          expectsNoRequests: false,
          http: { transport: "bearhug" },
        },
        arrivalRate: null,
        description: "2 VUs for 1 m",
        pacing: { executor: "constant-vus", startTimeMs: 0, vus: 2, durationMs: 60_000 },
      },
    ],
  },
  thresholds: [],
  monitors: [{ name: "server", source: "http://10.0.0.5:9100/metrics" }],
  tool: { name: "bearhug", version: "0.1.0", node: "24.0.0" },
  environment: { os: "linux 6", cores: 2, memoryMb: 1000 },
};

/** Returns a second in which a worker reported four requests, while one more was in flight. */
export function recordedMoment(second: number): RecordedMoment {
  const none = { requests: [] };
  const ended = 4 * (second + 1);
  const started = ended + 1;
  return {
    inputs: [
      { kind: "snapshot", workerId: 0, snapshot: snapshot(second) },
      { kind: "gauges", second, gauges: { vus: 2, vusMade: 2, connectionsOpen: 2 } },
      {
        kind: "monitor",
        report: { second, monitor: "server", readings: { cpu: { value: 42, unit: "%" } }, gap: null },
      },
    ],
    places: [],
    state: {
      startedAt: "2026-11-21T10:00:00.100Z",
      lateMs: 0,
      durationMs: (second + 1) * 1000,
      startsUntilMs: 0,
      accounting: {
        iterations: {
          scheduled: started,
          started,
          completed: ended,
          failed: 0,
          interrupted: 0,
          dropped: 0,
          lost: 1,
        },
        requests: [
          { name: "GET /", started, sent: started, succeeded: ended, failed: 0, interrupted: 0, lost: 1 },
        ],
        setup: none,
        teardown: none,
        warmup: null,
      },
      process: null,
      workers: [{ id: 0, lost: null, isRunning: true }],
      failures: [],
      unmeasured: [],
      abortReason: null,
      endedBy: null,
      abortedBy: null,
      interruptedBy: null,
      isLoadOver: false,
      teardownSignal: null,
    },
    isEnd: false,
  };
}

function snapshot(interval: number): WorkerSnapshot {
  const duration = new Trend(3);
  for (let sample = 0; sample < 4; sample++) duration.add(1.5 + sample * 7);
  return {
    interval,
    series: [
      {
        id: 0,
        tags: interval === 0 ? { scenario: "readers", name: "GET /" } : null,
        metrics: {
          http_reqs: { type: "counter", total: 4, samples: 4 },
          http_req_duration: duration.toDelta(),
        },
      },
    ],
    errors: [],
    health: {
      utilization: 0.1,
      loopDelayP95Ms: 0.5,
      loopDelayP99Ms: 1,
      pauses: { count: 2, totalMs: 61.5, longestMs: 40, longestAtMs: 310 },
      waitedMs: 0,
      last: { durationMs: 1000, utilization: 0.1, loopDelayP99Ms: 1 },
    },
    checkFaults: [],
    unmeasured: [],
    overflow: { name: null, tags: null, foldedTags: [] },
    ...(interval === 0 ? { exemplars } : {}),
  };
}
