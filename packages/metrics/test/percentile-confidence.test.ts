import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { confidenceRanks, samplesForConfidence } from "../src/quantiles.ts";

const percentiles = fc.integer({ min: 1, max: 9999 }).map((hundredths) => hundredths / 100);

describe("the number of samples that a percentile's interval needs", () => {
  test.each([
    [50, 8],
    [90, 53],
    [95, 110],
    [99, 563],
    [99.9, 5661],
  ])("for p%d is %d, and one less is too few", (percentile, least) => {
    expect(samplesForConfidence(percentile)).toBe(least);
    expect(confidenceRanks(percentile, least)).not.toBeNull();
    expect(confidenceRanks(percentile, least - 1)).toBeNull();
  });

  test("is the smallest number with an interval, for any percentile", () => {
    fc.assert(
      fc.property(percentiles, fc.nat(2000), (percentile, offset) => {
        const least = samplesForConfidence(percentile);
        expect(confidenceRanks(percentile, least + offset)).not.toBeNull();
        expect(confidenceRanks(percentile, Math.max(0, least - 1 - offset))).toBeNull();
      }),
    );
  });

  test("is infinite for the extremes", () => {
    for (const percentile of [0, 100]) {
      expect(samplesForConfidence(percentile)).toBe(Number.POSITIVE_INFINITY);
      expect(confidenceRanks(percentile, 1e9)).toBeNull();
    }
  });
});

describe("the ranks of an interval", () => {
  test("are those of the published formula", () => {
    // n = 1000, p = 0.99: 990 ∓ 1.96 √9.9 = 983.8 and 996.2
    expect(confidenceRanks(99, 1000)).toEqual([983, 998]);
    expect(confidenceRanks(50, 100)).toEqual([40, 61]);
  });

  test("enclose the rank of the percentile itself", () => {
    fc.assert(
      fc.property(percentiles, fc.integer({ min: 1, max: 1_000_000 }), (percentile, samples) => {
        const ranks = confidenceRanks(percentile, samples);
        if (ranks === null) return;
        const own = Math.ceil((percentile / 100) * samples - 1e-9 * samples);
        expect(ranks[0]).toBeGreaterThanOrEqual(1);
        expect(ranks[0]).toBeLessThanOrEqual(own);
        expect(ranks[1]).toBeGreaterThanOrEqual(own);
        expect(ranks[1]).toBeLessThanOrEqual(samples);
      }),
    );
  });
});
