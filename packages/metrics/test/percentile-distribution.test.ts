import fc from "fast-check";
import { constructorFromBucketSize } from "hdr-histogram-js/dist/JsHistogramFactory.js";
import { describe, expect, test } from "vitest";

import { Histogram } from "../src/histogram.ts";
import { percentileSteps, summarizeDistribution } from "../src/percentile-distribution.ts";

const Library = constructorFromBucketSize(32);
const samples = fc.array(fc.oneof(fc.nat(3000), fc.nat(100_000)), { minLength: 1, maxLength: 100 });
const precisions = fc.constantFrom(2 as const, 3 as const);

/** Returns the rows of HdrHistogram's text: value, percentile and count. */
function rowsOf(text: string): number[][] {
  return text
    .split("\n")
    .slice(2)
    .filter((line) => /^\s*\d/.test(line))
    .map((line) => line.trim().split(/\s+/).slice(0, 3).map(Number));
}

describe("a distribution", () => {
  test("has the percentiles, values and counts that HdrHistogram lists", () => {
    fc.assert(
      fc.property(samples, precisions, (values, precision) => {
        const own = new Histogram(precision);
        const library = new Library(1, 100_000, precision);
        for (const value of values) {
          own.record(value);
          library.recordValue(value);
        }
        const steps = percentileSteps(own.ranges());
        const expected = rowsOf(library.outputPercentileDistribution());
        expect(steps.map(({ value, count }) => [value, count])).toEqual(
          expected.map(([value, , count]) => [value, count]),
        );
        for (const [index, [, percentile = -1]] of expected.entries())
          expect(steps[index]?.percentile).toBeCloseTo(percentile * 100, 8);
        const { count, mean, standardDeviation, max } = summarizeDistribution(own.ranges());
        expect([count, max]).toEqual([library.totalCount, library.highestEquivalentValue(library.maxValue)]);
        expect(mean).toBeCloseTo(library.mean, 3);
        expect(standardDeviation).toBeCloseTo(library.stdDeviation, 3);
      }),
      { numRuns: 40 },
    );
  });

  test("without samples has no percentiles", () => {
    expect(percentileSteps([])).toEqual([]);
    expect(summarizeDistribution([])).toEqual({ count: 0, mean: 0, standardDeviation: 0, max: 0 });
  });
});
