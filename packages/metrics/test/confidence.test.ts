import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { confidenceInterval } from "../src/summarize.ts";
import { Trend } from "../src/trend.ts";

function trendOf(values: Iterable<number>): Trend {
  const trend = new Trend(3);
  for (const value of values) trend.add(value);
  return trend;
}

describe("a percentile's confidence interval", () => {
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

  test("consists of the values at its ranks, zeros included", () => {
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
