import { describe, expect, test } from "vitest";

import { confidenceInterval } from "../src/summarize.ts";
import { Trend } from "../src/trend.ts";

/** Returns a source of uniform numbers in [0, 1) (mulberry32). */
function uniform(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The mean of exponential latencies, whose true percentiles are known. */
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
    "of p$percentile from $samples samples contains the true value about as often as it claims",
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
});
