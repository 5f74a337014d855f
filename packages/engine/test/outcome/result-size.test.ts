import { metricCatalog } from "@bearhug/metrics/metric-catalog";
import { MetricRegistry } from "@bearhug/metrics/registry";
import { Scope } from "@bearhug/metrics/scope";
import { SnapshotTaker } from "@bearhug/metrics/snapshot";
import { createMask } from "@bearhug/text/secret-mask";
import { beforeAll, describe, expect, test } from "vitest";

import { builtInClients } from "../../src/built-in-clients.ts";
import { mergedResults, summarizer } from "../../src/outcome/merged-results.ts";
import { intervalResults, metricResults, seriesResults } from "../../src/outcome/assemble-result.ts";
import { Collector } from "../../src/outcome/collect.ts";
import { RequestSamples } from "../../../http/src/samples/request-samples.ts";
import { thresholdOf } from "../../../metrics/test/thresholds/threshold-of.ts";

const seconds = 3600;
const names = 40;
const statuses = [200, 201, 302, 404, 503];
const pages = 10;
/** Each series has samples only in every 20th second, but then the samples of 20 seconds. */
const everySeconds = 20;
const samplesAtOnce = 40;

/** Returns a generator of uniform numbers in [0, 1): mulberry32. */
function uniform(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const next = uniform(4242);
const busy = { utilization: 0.4, loopDelayP99Ms: 1 };
const pauses = { count: 0, totalMs: 0, longestMs: 0, longestAtMs: 0 };
const health = { ...busy, loopDelayP95Ms: 1, pauses, waitedMs: 0, last: { ...busy, durationMs: 1000 } };

/**
 * 99.8 % of the factors are between 1/22 and 22, which is 2.7 decades. They are drawn once, because an hour
 * needs millions.
 */
const factors = Array.from({ length: 2 ** 16 }, () =>
  Math.exp(Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())),
);
let drawn = 0;

function logNormal(medianMs: number): number {
  return medianMs * (factors[drawn++ % factors.length] ?? 1);
}

function record(samples: RequestSamples, scope: Scope, index: number): void {
  const name = `GET /shop/area-${index % names}/item/:id`;
  const status = statuses[Math.floor(index / names)] ?? 200;
  const page = scope.page(`page ${index % pages}`);
  const key = { name, method: "GET", status, protocol: "HTTP/1.1" };
  const requests = samples.of(page, key, status < 400);
  for (let sample = 0; sample < samplesAtOnce; sample++) {
    const medianMs = 2 + (index % 17) * 3;
    const [waiting, receiving, blocked] = [logNormal(medianMs), logNormal(0.3), logNormal(0.05)];
    const sending = logNormal(0.03);
    const duration = waiting + receiving + sending;
    const isNew = sample === 0;
    const [lookingUp, connecting, tlsHandshaking] = isNew
      ? [logNormal(0.4), logNormal(1), logNormal(3)]
      : [0, 0, 0];
    requests.record({
      hasFailed: status >= 400,
      isCutOff: false,
      hasWaited: true,
      hasReceived: true,
      bytesSent: 200,
      bytesReceived: Math.round(logNormal(5000)),
      phases: {
        blocked,
        lookingUp,
        connecting,
        tlsHandshaking,
        sending,
        waiting,
        receiving,
        duration,
        responseTime: duration + blocked,
      },
    });
  }
}

/** Collects an hour of one worker's snapshots: 400 requests a second in 200 series. */
function runAnHour(collector: Collector, afterSecond: (second: number) => void): void {
  const registry = new MetricRegistry(
    metricCatalog({ clients: builtInClients, metrics: {} }),
    createMask([]),
  );
  const scope = new Scope(registry, { scenario: "shoppers" });
  const samples = new RequestSamples(registry);
  const taker = new SnapshotTaker(registry);
  for (let second = 0; second < seconds; second++) {
    for (let index = second % everySeconds; index < names * statuses.length; index += everySeconds)
      record(samples, scope, index);
    collector.add(0, {
      interval: second,
      series: taker.take(),
      errors: [],
      health,
      checkFaults: [],
      unmeasured: [],
      overflow: { name: null, tags: null, foldedTags: [] },
    });
    collector.gauge(second, { vus: 50, vusMade: 50, connectionsOpen: 50 });
    afterSecond(second);
  }
}

const windowed = thresholdOf("http_req_duration{page:page 3}", "p(95)<1m", { windowMs: 30_000 });
const collector = new Collector({
  plan: { clients: builtInClients, metrics: {} },
  thresholds: [{ threshold: windowed }],
});
const retained: { second: number; series: number; intervals: number; seconds: number }[] = [];

beforeAll(() => {
  runAnHour(collector, (second) => {
    collector.windows.advance(second + 1, seconds * 1000);
    retained.push({
      second,
      series: [...collector.store.all()].length,
      intervals: collector.timeline.engine.intervals.length,
      seconds: collector.windows.secondsKept,
    });
  });
}, 300_000);

describe("the result of an hour of 200 series", () => {
  test("is smaller than 5 MB as JSON", () => {
    const durationMs = seconds * 1000;
    const plan = { clients: builtInClients, metrics: {} };
    const summarize = summarizer(plan, durationMs);
    const document = {
      metrics: metricResults(collector.store, plan, [], durationMs),
      series: seriesResults(collector.store, plan, summarize, collector.blocks.result().series),
      ...mergedResults(collector.store, plan, summarize),
      intervals: intervalResults(collector.timeline, durationMs),
    };
    expect(document.names.length).toBe(names);
    expect(document.series.some(({ blocks = [] }) => blocks.length >= 8)).toBe(true);
    expect(document.series.filter(({ histogram }) => histogram !== null).length).toBeGreaterThanOrEqual(400);
    const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value, null, 2));
    const sizes = Object.fromEntries(Object.entries(document).map(([part, value]) => [part, bytesOf(value)]));
    expect(bytesOf(document), JSON.stringify(sizes)).toBeLessThan(5_000_000);
  });

  test("does not grow with the number of snapshots while it is collected", () => {
    // The series of requests, of each page's phases, and of gauges.
    expect(Math.max(...retained.map(({ series }) => series))).toBe(names * statuses.length + pages + 1);
    expect(Math.max(...retained.map(({ intervals }) => intervals))).toBeLessThanOrEqual(600);
    expect(Math.max(...retained.map((kept) => kept.seconds))).toBeLessThanOrEqual(30);
    expect(retained.at(-1)?.seconds).toBe(30);
  });
});
