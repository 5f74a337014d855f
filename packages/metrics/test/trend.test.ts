import fc from "fast-check";
import { decodeFromCompressedBase64 } from "hdr-histogram-js";
import { describe, expect, test } from "vitest";

import { Trend, type TrendDelta } from "../src/trend.ts";

/** Milliseconds with the three decimals that are kept, many of them 0. */
const milliseconds = fc.oneof(
  fc.constant(0),
  fc.nat(5_000_000).map((us) => us / 1000),
  fc.nat(3_600_000),
);
const samples = fc.array(milliseconds, { minLength: 1, maxLength: 200 });
const precisions = fc.constantFrom<2 | 3>(2, 3);

function trendOf(values: readonly number[], precision: 2 | 3 = 3): Trend {
  const trend = new Trend(precision);
  for (const value of values) trend.add(value);
  return trend;
}

/** Returns the percentile by its definition: the least value with at least p % of all at or below it. */
function nearestRank(values: readonly number[], percentile: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted.find((_, index) => (index + 1) * 100 >= percentile * sorted.length - 1e-9)!;
}

function drained(trend: Trend): TrendDelta {
  const delta = trend.drain();
  if (delta === null) throw new TypeError("nothing to drain");
  return delta;
}

describe("a trend", () => {
  test("keeps count, least and greatest value and the sum exactly", () => {
    fc.assert(
      fc.property(samples, precisions, (values, precision) => {
        const trend = trendOf(values, precision);
        expect(trend.count).toBe(values.length);
        expect(trend.zeros).toBe(values.filter((value) => value === 0).length);
        expect(trend.min).toBe(Math.round(Math.min(...values) * 1000));
        expect(trend.max).toBe(Math.round(Math.max(...values) * 1000));
        expect(trend.sum).toBe(values.reduce((sum, value) => sum + Math.round(value * 1000), 0));
      }),
    );
  });

  test("gives nearest-rank percentiles within its precision, never beyond the extremes", () => {
    const percentiles = fc.oneof(
      fc.constantFrom(0, 50, 90, 95, 99, 99.9, 100),
      fc.integer({ min: 0, max: 1000 }).map((tenths) => tenths / 10),
    );
    fc.assert(
      fc.property(samples, precisions, percentiles, (values, precision, percentile) => {
        const found = trendOf(values, precision).percentile(percentile);
        const exact = nearestRank(values, percentile);
        expect(found).toBeGreaterThanOrEqual(exact - 1e-9);
        expect(found - exact).toBeLessThanOrEqual(exact * 10 ** -precision + 1e-9);
        expect(found).toBeLessThanOrEqual(Math.max(...values));
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    { percentile: 99.9, count: 1000, rank: 999 },
    { percentile: 95, count: 20, rank: 19 },
    { percentile: 50, count: 4, rank: 2 },
    { percentile: 50, count: 5, rank: 3 },
    { percentile: 99, count: 100, rank: 99 },
    { percentile: 99, count: 101, rank: 100 },
    { percentile: 29, count: 100, rank: 29 },
    { percentile: 100, count: 7, rank: 7 },
    { percentile: 0, count: 7, rank: 1 },
  ])("p($percentile) of $count values is number $rank from below", ({ percentile, count, rank }) => {
    const values = Array.from({ length: count }, (_, index) => (index + 1) / 1000);
    expect(trendOf(values).percentile(percentile)).toBe(rank / 1000);
  });

  test("knows which values are only lower bounds, because samples were cut off", () => {
    const lives = fc.array(
      fc.record({
        value: fc.nat(2000).map((us) => us / 1000),
        cutOffAt: fc.nat(2000).map((us) => us / 1000),
      }),
      { minLength: 1, maxLength: 60 },
    );
    fc.assert(
      fc.property(lives, lives, fc.constantFrom(0, 50, 90, 95, 100), (first, second, percentile) => {
        const seen = (samples: typeof first): Trend => {
          const trend = new Trend(3);
          for (const { value, cutOffAt } of samples) {
            if (value > cutOffAt) trend.addLowerBound(cutOffAt);
            else trend.add(value);
          }
          return trend;
        };
        const merged = seen(first);
        const delta = drained(seen(second));
        merged.merge(delta);
        const truth = [...first, ...second].map(({ value }) => value);
        const found = merged.percentile(percentile);
        expect(found).toBeLessThanOrEqual(nearestRank(truth, percentile) + 1e-9);
        if (!merged.isLowerBound(found)) expect(found).toBeCloseTo(nearestRank(truth, percentile), 9);
        const cutOff = [...first, ...second].filter(({ value, cutOffAt }) => value > cutOffAt);
        expect(merged.censored?.count ?? 0).toBe(cutOff.length);
        merged.unmerge(delta, [seen(first).toDelta()]);
        expect(merged.censored).toEqual(seen(first).censored);
      }),
      { numRuns: 300 },
    );
  });

  test("drains the number of cut-off samples with the rest", () => {
    const trend = trendOf([1, 2]);
    trend.addLowerBound(5);
    expect(drained(trend).censored).toEqual({ count: 1, least: 5000 });
    trend.add(9);
    expect(drained(trend).censored).toBeNull();
    expect(trend.isLowerBound(5)).toBe(false);
  });

  test("counts zeros as values like others", () => {
    const trend = trendOf([0, 0, 0, 8]);
    expect(trend.percentile(75)).toBe(0);
    expect(trend.percentile(76)).toBe(8);
    expect(trendOf([0, 0]).percentile(99)).toBe(0);
  });

  test("is the same whether values are added to one or merged from drains of many", () => {
    fc.assert(
      fc.property(fc.array(samples, { minLength: 1, maxLength: 5 }), precisions, (parts, precision) => {
        const merged = new Trend(precision);
        for (const part of parts) merged.merge(structuredClone(drained(trendOf(part, precision))));
        expect(merged.toDelta()).toEqual(trendOf(parts.flat(), precision).toDelta());
      }),
    );
  });

  test("is as if it had never been merged with a trend that is taken out again", () => {
    fc.assert(
      fc.property(samples, fc.array(samples, { maxLength: 3 }), precisions, (left, others, precision) => {
        const remaining = others.map((part) => drained(trendOf(part, precision)));
        const trend = trendOf(others.flat(), precision);
        const leaving = drained(trendOf(left, 3));
        trend.merge(leaving);
        trend.unmerge(leaving, remaining);
        expect(trend.toDelta()).toEqual(trendOf(others.flat(), precision).toDelta());
      }),
    );
  });

  test("is empty after a drain, and counts anew", () => {
    const trend = trendOf([5, 0, 7]);
    expect(drained(trend).count).toBe(3);
    expect(trend.drain()).toBeNull();
    trend.add(2);
    const { count, min, max, sum } = drained(trend);
    expect({ count, min, max, sum }).toEqual({ count: 1, min: 2000, max: 2000, sum: 2000 });
  });

  test("can be read as a delta without losing its samples", () => {
    const trend = trendOf([1, 2, 3]);
    expect(trend.toDelta()).toEqual(trend.toDelta());
    expect(trend.count).toBe(3);
  });

  test("of two digits accepts deltas of three digits", () => {
    fc.assert(
      fc.property(samples, (values) => {
        const coarse = new Trend(2);
        coarse.merge(trendOf(values, 3).toDelta());
        const { count, zeros, sum, min, max, buckets } = coarse.toDelta();
        const direct = trendOf(values, 2).toDelta();
        expect({ count, zeros, sum, min, max }).toEqual({
          count: direct.count,
          zeros: direct.zeros,
          sum: direct.sum,
          min: direct.min,
          max: direct.max,
        });
        expect(buckets).toEqual(direct.buckets);
      }),
    );
  });

  test("is encoded with its zeros; an empty one is not encoded", () => {
    expect(new Trend(3).encode()).toBeNull();
    const decoded = decodeFromCompressedBase64(trendOf([0, 0, 0, 1.5, 90_000]).encode()!, 32);
    expect(decoded.totalCount).toBe(5);
    expect(decoded.getValueAtPercentile(60)).toBe(0);
    expect(decoded.getValueAtPercentile(80)).toBe(1500);
    expect(Math.abs(decoded.getValueAtPercentile(100) - 90_000_000)).toBeLessThanOrEqual(90_000);
  });
});
