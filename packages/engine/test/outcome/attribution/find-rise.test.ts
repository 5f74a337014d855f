import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { findRise } from "../../../src/outcome/attribution/find-rise.ts";

const level = (count: number, value: number): number[] =>
  Array.from({ length: count }, (_, index) => value * (1 + ((index * 7) % 10) / 100));

/** Adds uniform noise of up to 10 % to both sides, which is the same for the same seed. */
function noisy(values: readonly number[], seed: number): number[] {
  let state = seed;
  return values.map((value) => {
    state = (state * 48_271) % 2_147_483_647;
    return value * (0.9 + 0.2 * (state / 2_147_483_647));
  });
}

describe("a rise", () => {
  test.for([
    [20, 10, 30],
    [10, 20, 400],
    [300, 300, 20],
    [50, 5, 200],
  ] as const)("after %i values that lasts %i more, to %i, is found at its index", ([before, after, to]) => {
    const found = findRise([...level(before, 10), ...level(after, to)]);
    expect(found?.at).toBe(before);
    expect(found?.before).toBeCloseTo(10, -1);
    expect(found?.after).toBeGreaterThanOrEqual(to);
  });

  test("is found to one second in noise, wherever it is", () => {
    fc.assert(
      fc.property(fc.integer({ min: 8, max: 52 }), fc.integer({ min: 1, max: 1e9 }), (at, seed) => {
        const series = noisy([...level(at, 10), ...level(60 - at, 25)], seed);
        expect(Math.abs((findRise(series)?.at ?? -100) - at)).toBeLessThanOrEqual(1);
      }),
      { numRuns: 100 },
    );
  });

  test("is found even if it ends again after a while", () => {
    const series = [...level(30, 10), ...level(30, 80), ...level(30, 10)];
    expect(findRise(series)).toMatchObject({ at: 30 });
  });

  test("is found at its index even if seconds without a value come before", () => {
    const series = [...level(10, 10), null, null, ...level(10, 50)];
    expect(findRise(series)).toMatchObject({ at: 12 });
  });
});

describe("no rise is found", () => {
  test.for([
    ["in a level series", level(60, 10)],
    ["in a fall", [...level(30, 50), ...level(30, 10)]],
    ["in an outlier", [...level(30, 10), 900, ...level(29, 10)]],
    ["in a rise of less than half", [...level(30, 10), ...level(30, 13)]],
    ["in too few values", [10, 10, 10, 90, 90, 90]],
    ["without values", []],
    ["if no request was answered", [null, null, null]],
    ["in equal values", Array.from({ length: 60 }, () => 5)],
  ] as const)("%s", ([, series]) => {
    expect(findRise(series)).toBeNull();
  });

  test("in at least 99 of 100 series of independent values, however much they vary", () => {
    const seeds = Array.from({ length: 500 }, (_, index) => 1 + index * 4_000_003);
    const wild = (seed: number): number[] => noisy(level(60, 10), seed).map((value) => (value - 8.5) ** 2);
    const found = seeds.filter((seed) => findRise(wild(seed)) !== null);
    expect(found.length).toBeLessThanOrEqual(seeds.length / 100);
  });
});
