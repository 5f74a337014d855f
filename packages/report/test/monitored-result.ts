import { Trend } from "@bearhug/metrics/trend";
import type { TestResult } from "@bearhug/sdk";
import type { MonitorResult } from "@bearhug/sdk/result";

import { judged, passed } from "./passed-result.ts";
import { latencies, resultOf } from "./result-of.ts";

const seconds = Array.from({ length: 30 }, (_, second) => second);
/** From this second on, the server's CPU is exhausted, and requests are slow. */
const slowFrom = 20;

function intervalOf(second: number): TestResult["intervals"][number] {
  const trend = new Trend(2);
  for (const ms of latencies(200, second < slowFrom ? 5 : 90)) trend.add(ms);
  const encoded = trend.encode();
  return {
    atMs: (second + 1) * 1000,
    widthMs: 1000,
    vus: 10,
    http_reqs: 200,
    http_reqs_failed: 0,
    iterations: 50,
    dropped: 0,
    bytes: 512_000,
    duration: encoded,
    responseTime: encoded,
  };
}

function gaugeOf(
  metric: string,
  unit: MonitorResult["gauges"][number]["unit"],
  points: readonly (number | null)[],
): MonitorResult["gauges"][number] {
  const known = points.filter((point) => point !== null);
  const sum = known.reduce((total, point) => total + point, 0);
  const extremes = { min: Math.min(...known), max: Math.max(...known) };
  const values = { value: known.at(-1) ?? 0, avg: sum / known.length, ...extremes };
  return { metric, unit, values, points };
}

/** True from 10 s to 14 s, when the server's gauges could not be read. */
const isGap = (second: number): boolean => second >= 10 && second < 14;
const cpu = seconds.map((second) => {
  if (isGap(second)) return null;
  return second < slowFrom ? 38 + (second % 5) * 2.5 : 97 + (second % 3) * 0.6;
});
const memory = seconds.map((second) => (isGap(second) ? null : 2.1e9 + second * 12e6));
const received = seconds.map((second) => (isGap(second) ? null : 480_000 + (second % 4) * 9000));

const monitors: readonly MonitorResult[] = [
  {
    name: "server",
    source: "http://10.0.0.5:9100/metrics",
    gauges: [
      gaugeOf("server.cpu", "%", cpu),
      gaugeOf("server.memory", "bytes", memory),
      gaugeOf("server.network_received", "bytes/s", received),
      gaugeOf(
        "server.node_load1",
        null,
        seconds.map((second) => 0.4 + second / 20),
      ),
    ],
    gaps: [{ fromMs: 10_000, toMs: 14_000, reason: "connection refused" }],
  },
  {
    name: "db",
    source: "process 4120",
    gauges: [
      gaugeOf(
        "db.process_cpu",
        "%",
        seconds.map((second) => (second < slowFrom ? 22 : 26) + (second % 4)),
      ),
    ],
    gaps: [],
  },
  {
    name: "cache",
    source: "http://10.0.0.7:9121/metrics",
    gauges: [],
    gaps: [{ fromMs: 0, toMs: 30_000, reason: "no answer within 1 s" }],
  },
];

/** A run with monitors, one of which could not be read for a while, and one never. */
export const monitored: TestResult = resultOf({
  ...passed,
  attribution:
    "when p95 rose from 20.9 ms to 377 ms, 20 s into the load, server.cpu was at 97.7 % (before: 43.3 %) and " +
    "db.process_cpu was at 27.3 % (before: 23.5 %); the generator was busy 41 % of the run",
  intervals: seconds.map(intervalOf),
  monitors,
  metrics: {
    ...passed.metrics,
    ...Object.fromEntries(
      monitors.flatMap(({ gauges }) =>
        gauges.map(({ metric, unit, values }) => [metric, { type: "gauge", unit, values }] as const),
      ),
    ),
  },
  thresholds: [
    {
      ...judged,
      samples: 26,
      source: null,
      metric: "server.cpu",
      expression: "avg<80%",
      passed: true,
      actual: monitors[0]?.gauges[0]?.values.avg ?? null,
      unit: "%",
    },
  ],
});
