import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { confidenceInterval } from "../../src/metrics/confidence.ts";
import { Trend } from "../../src/metrics/trend.ts";

function trendOf(values: Iterable<number>): Trend {
  const trend = new Trend(3);
  for (const value of values) trend.add(value);
  return trend;
}

/** Uniform numbers of [0, 1): mulberry32. */
function uniform(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Exponential latencies of 20 ms on average, whose true percentiles are known. */
const meanMs = 20;
const truePercentile = (percentile: number): number => -meanMs * Math.log(1 - percentile / 100);

describe("a percentile's confidence interval", () => {
  test.each([
    { percentile: 50, samples: 100 },
    { percentile: 95, samples: 110 },
    { percentile: 95, samples: 1000 },
    { percentile: 99, samples: 563 },
    { percentile: 99, samples: 3000 },
    { percentile: 99.9, samples: 5662 },
  ])(
    "of p$percentile from $samples samples holds the truth as often as it says",
    ({ percentile, samples }) => {
      const runs = 400;
      const next = uniform(percentile * 1000 + samples);
      let hits = 0;
      for (let run = 0; run < runs; run++) {
        const trend = new Trend(3);
        for (let index = 0; index < samples; index++) trend.add(-meanMs * Math.log(1 - next()));
        const [low, high] = confidenceInterval(trend, percentile)!;
        const truth = truePercentile(percentile);
        if (low <= truth && truth <= high) hits++;
      }
      expect(hits / runs).toBeGreaterThanOrEqual(0.93);
    },
  );

  test("encloses the percentile, whatever the samples", () => {
    const values = fc.array(fc.oneof(fc.constant(0), fc.double({ min: 0, max: 1e6, noNaN: true })), {
      minLength: 1,
      maxLength: 700,
      size: "max",
    });
    fc.assert(
      fc.property(values, fc.integer({ min: 0, max: 1000 }), (samples, tenths) => {
        const percentile = tenths / 10;
        const trend = trendOf(samples);
        const interval = confidenceInterval(trend, percentile);
        if (interval === null) return;
        const value = trend.percentile(percentile);
        expect(interval[0]).toBeLessThanOrEqual(value);
        expect(interval[1]).toBeGreaterThanOrEqual(value);
        expect(interval[0]).toBeGreaterThanOrEqual(trend.min / 1000);
        expect(interval[1]).toBeLessThanOrEqual(trend.max / 1000);
      }),
    );
  });

  test("is the values at its ranks, zeros counted", () => {
    const values = Array.from({ length: 1000 }, (_, index) => Math.max(0, index + 1 - 500) / 1000);
    // ranks 983 and 998 of 1,000
    expect(confidenceInterval(trendOf(values), 99)).toEqual([0.483, 0.498]);
    // ranks 469 and 532: the lower half is zeros
    expect(confidenceInterval(trendOf(values), 50)).toEqual([0, 0.032]);
  });

  test("is not given for too few samples", () => {
    expect(confidenceInterval(trendOf(Array.from({ length: 109 }, (_, index) => index)), 95)).toBeNull();
    expect(confidenceInterval(trendOf([]), 50)).toBeNull();
  });
});
