import { describe, expect, test } from "vitest";

import { correlatedVariance } from "../../src/comparison/correlated-variance.ts";
import { randomSource } from "../../../plan/src/pacing/random-source.ts";

/** Returns levels whose neighbours correlate by `correlation` (AR(1)). */
function levelsOf(blocks: number, correlation: number, seed: number): number[] {
  const random = randomSource(seed, 0);
  let level = 0;
  return Array.from({ length: blocks }, () => (level = correlation * level + random() - 0.5));
}

const independent = levelsOf(30, 0, 1);

test("a variance that independent values explain does not grow, whatever the levels do", () => {
  const trend = independent.map((_, block) => block);
  for (const levels of [independent, trend])
    expect(correlatedVariance({ variance: 4, independent: 4, levels }).variance).toBeCloseTo(
      4 / (1 - 1 / 30),
    );
});

test("variance beyond that counts at least threefold: no short series shows a correlation below 0.5", () => {
  const { variance, freedom } = correlatedVariance({ variance: 4, independent: 3, levels: independent });
  expect(variance).toBeCloseTo(6 / (1 - 1 / 20));
  expect(freedom).toBeCloseTo(19);
});

test.each([0.6, 0.8, 0.9])(
  "a correlation of %d is found in long series: the variance grows by (1 + φ) / (1 − φ)",
  (correlation) => {
    const levels = levelsOf(100_000, correlation, 2);
    const { variance } = correlatedVariance({ variance: 1, independent: 0, levels });
    expect(variance / ((1 + correlation) / (1 - correlation))).toBeCloseTo(1, 1);
  },
);

describe("a trend through the whole run", () => {
  const levels = Array.from({ length: 30 }, (_, block) => block);

  test("makes 30 blocks count as three independent ones, with three degrees of freedom", () => {
    expect(correlatedVariance({ variance: 1, independent: 0, levels })).toEqual({ variance: 10, freedom: 3 });
  });

  test("is still found if blocks are missing", () => {
    const gaps = levels.map((level, block) => (block % 10 === 5 ? null : level));
    expect(correlatedVariance({ variance: 1, independent: 0, levels: gaps }).freedom).toBe(3);
  });
});

test("blocks that are all alike have no variance", () => {
  const levels = Array.from({ length: 10 }, () => 5);
  expect(correlatedVariance({ variance: 0, independent: 0, levels })).toEqual({ variance: 0, freedom: 9 });
});
