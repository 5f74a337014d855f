import { Histogram } from "@bearhug/metrics/histogram";
import { decodeHistogram } from "@bearhug/metrics/histogram-encoding";
import { tagsKey } from "@bearhug/metrics/tags";
import { Trend } from "@bearhug/metrics/trend";
import { describe, expect, test } from "vitest";

import { builtInClients } from "../../src/built-in-clients.ts";
import { blockedMetrics, BlockStore, type SeriesBlocks } from "../../src/outcome/block-store.ts";
import { thresholdOf } from "../../../metrics/test/thresholds/threshold-of.ts";

/** Returns the samples of one second: `requests` with one name, of which one failed. */
function secondOf(name: string, requests: number): Parameters<BlockStore["add"]>[1][number] {
  const times = new Trend(3);
  for (let at = 0; at < requests; at++) times.add(10 * 1.01 ** at);
  const delta = times.drain();
  return {
    tags: { scenario: "s", name },
    metrics: {
      http_req_failed: { type: "rate", trues: 1, samples: requests },
      visits: { type: "counter", total: requests, samples: requests },
      ...(delta && { http_req_duration: delta }),
    },
  };
}

/** Returns the blocks of one series of a result. */
function blocksOf(series: SeriesBlocks, metric: string, name: string): readonly unknown[] {
  return series.get(tagsKey({ scenario: "s", name }))?.get(metric) ?? [];
}

function samplesIn(block: unknown): number {
  const decoded = typeof block === "string" ? decodeHistogram(block) : null;
  if (decoded === null) return 0;
  const histogram = new Histogram(decoded.precision);
  histogram.add(decoded.buckets);
  return histogram.ranges().reduce((sum, { count }) => sum + count, 0);
}

const metrics = new Set(["http_req_duration", "http_req_failed", "visits"]);

describe("blocks of time", () => {
  test("are seconds in a short run: histograms, trues with samples, sums", () => {
    const store = new BlockStore(metrics);
    store.add(0, [secondOf("GET /", 3)]);
    store.add(2, [secondOf("GET /", 5)]);
    const { blockMs, series } = store.result();
    const of = (metric: string): readonly unknown[] => blocksOf(series, metric, "GET /");
    expect(blockMs).toBe(1000);
    expect(of("http_req_duration").map(samplesIn)).toEqual([3, 0, 5]);
    expect(of("http_req_failed")).toEqual([[1, 3], null, [1, 5]]);
    expect(of("visits")).toEqual([3, null, 5]);
  });

  test("are at most 30, whatever the length of the run, and lose no sample", () => {
    const store = new BlockStore(metrics);
    for (let second = 0; second < 100; second++) store.add(second, [secondOf("GET /", 4)]);
    const { blockMs, series } = store.result();
    const blocks = blocksOf(series, "http_req_duration", "GET /");
    expect({ blockMs, length: blocks.length }).toEqual({ blockMs: 4000, length: 25 });
    expect(blocks.map(samplesIn)).toEqual(Array.from({ length: 25 }, () => 16));
  });

  test("are kept for the 100 busiest names", () => {
    const store = new BlockStore(metrics);
    const names = Array.from({ length: 120 }, (_, at) => secondOf(`GET /${at}`, at + 1));
    store.add(0, names);
    const kept = new Set([...store.result().series.keys()].map((key) => /GET \/\d+/.exec(key)?.[0]));
    expect(kept.size).toBe(100);
    expect(kept.has("GET /119")).toBe(true);
    expect(kept.has("GET /19")).toBe(false);
  });

  test("become fewer if they would take too much room, and the least busy series are dropped", () => {
    const maxCharacters = 40_000;
    const store = new BlockStore(metrics, maxCharacters);
    for (let second = 0; second < 30; second++)
      store.add(
        second,
        Array.from({ length: 30 }, (_, at) => secondOf(`GET /${at}`, at + 1)),
      );
    const { blockMs, series } = store.result();
    const has = (name: string): boolean => blocksOf(series, "http_req_duration", name).length > 0;
    expect(blockMs).toBe(4000);
    expect(
      JSON.stringify(
        [...series.values()].flatMap((ofTags) => [...ofTags.values()]),
        null,
        2,
      ).length,
    ).toBeLessThan(maxCharacters);
    expect([has("GET /29"), has("GET /0")]).toEqual([true, false]);
  });
});

test("blocks of several snapshots are the same in each result, also where they are joined for want of room", () => {
  const store = new BlockStore(metrics, 2000);
  for (let second = 0; second < 30; second++)
    for (const requests of [3, 5]) store.add(second, [secondOf("GET /", requests)]);
  const first = store.result();
  expect(blocksOf(first.series, "visits", "GET /")).toEqual(Array.from({ length: 8 }, () => 32).with(-1, 16));
  expect(store.result()).toEqual(first);
});

test("times, rates of failures and metrics of thresholds have blocks", () => {
  const blocked = blockedMetrics(builtInClients, [thresholdOf("group_duration", "p(95)<1s")]);
  expect(
    [
      "http_req_duration",
      "http_req_response_time",
      "http_req_failed",
      "checks",
      "iteration_failed",
      "group_duration",
    ].every((one) => blocked.has(one)),
  ).toBe(true);
  expect(blocked.has("iteration_duration")).toBe(false);
});
