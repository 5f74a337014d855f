import { bucketRanges, countAbove } from "@bearhug/metrics/count-above";
import { Histogram } from "@bearhug/metrics/histogram";
import type { TestResult } from "@bearhug/sdk";
import { expect, test } from "vitest";

import type { Objective } from "../../../src/trials/capacity/objective.ts";
import { readBatches } from "../../../src/trials/capacity/read-batches.ts";
import { resultOf } from "../../../../report/test/result-of.ts";
import { failedRequests, slowRequests } from "./simulated-targets.ts";

function encode(times: readonly number[]): string {
  const histogram = new Histogram(2);
  for (const ms of times) histogram.record(Math.round(ms * 1000));
  return histogram.encode();
}

function interval(atMs: number, times: readonly number[], failed = 0): TestResult["intervals"][number] {
  return {
    atMs,
    widthMs: 1000,
    vus: 1,
    iterations: times.length,
    dropped: 0,
    bytes: 0,
    http_reqs: times.length,
    http_reqs_failed: failed,
    duration: null,
    responseTime: times.length === 0 ? null : encode(times),
  };
}

const result = resultOf({
  intervals: [interval(1000, [10, 20, 30, 40], 1), interval(2000, []), interval(3000, [60, 70, 10, 10], 3)],
});

test("each interval counts its requests, those above the limit, and those among the slowest fifth", () => {
  expect(readBatches(slowRequests, result)).toEqual([
    { samples: 4, total: 0, slow: 0 },
    { samples: 0, total: 0, slow: 0 },
    { samples: 4, total: 2, slow: 2 },
  ]);
});

test("each failed request counts as a violation", () => {
  expect(readBatches(failedRequests, result).map(({ samples, total }) => [samples, total])).toEqual([
    [4, 1],
    [0, 0],
    [4, 3],
  ]);
});

test("a mean sums the times to the histogram's precision", () => {
  const [first] = readBatches({ ...slowRequests, judges: "mean", limitMs: null }, result);
  expect(first?.samples).toBe(4);
  expect(first?.total).toBeGreaterThan(99);
  expect(first?.total).toBeLessThan(101);
});

test("each reading of a monitored gauge is a sample; a gap is none", () => {
  const objective: Objective = {
    text: "server.cpu: avg<70%",
    metric: "server.cpu",
    judges: "mean",
    bound: 70,
    limitMs: null,
    gaugeUnit: "%",
  };
  const gauge = { metric: "server.cpu", unit: "%" as const, values: { value: 1, avg: 1, min: 1, max: 1 } };
  const monitors = [{ name: "server", source: "", gauges: [{ ...gauge, points: [40, null, 60] }], gaps: [] }];
  expect(
    readBatches(objective, { ...result, monitors }).map(({ samples, total }) => [samples, total]),
  ).toEqual([
    [1, 40],
    [0, 0],
    [1, 60],
  ]);
  expect(readBatches(objective, { ...result, monitors: [] })).toEqual([]);
});

test("counts above a limit match the values, to the width of a bucket", () => {
  const values = Array.from({ length: 5000 }, (_, index) => 0.003 * 1.0025 ** index);
  const ranges = bucketRanges(encode(values));
  expect(ranges.reduce((sum, { count }) => sum + count, 0)).toBe(5000);
  for (const limit of [0.01, 0.2, 1, 25, 200, 600]) {
    const actual = values.filter((ms) => ms > limit).length;
    // A bucket is 0.8 % wide at most, or a microsecond: values here are 0.25 % apart.
    expect(Math.abs(countAbove(ranges, limit) - actual)).toBeLessThanOrEqual(40);
  }
});

test("a text that is not a histogram has no counts", () => {
  expect(bucketRanges("")).toEqual([]);
});

test("requests that were never sent violate every limit, and are not part of a mean", () => {
  const intervals = [
    { ...interval(1000, [10, 20]), dropped: 3 },
    { ...interval(2000, [10, 10]), dropped: 0 },
  ];
  const { accounting } = result;
  const iterations = { ...accounting.iterations, scheduled: 7, dropped: 3 };
  const overrun = resultOf({ intervals, accounting: { ...accounting, iterations } });
  const seen = readBatches(slowRequests, overrun).map(({ samples, total }) => [samples, total]);
  expect(seen).toEqual([
    [5, 3],
    [2, 0],
  ]);
  const mean = readBatches({ ...slowRequests, judges: "mean", limitMs: null }, overrun);
  expect(mean.map(({ samples }) => samples)).toEqual([2, 2]);
  const rare = { ...iterations, scheduled: 1000 };
  const nearlyWhole = resultOf({ intervals, accounting: { ...accounting, iterations: rare } });
  expect(readBatches(slowRequests, nearlyWhole).map(({ samples }) => samples)).toEqual([2, 2]);
});
