import fc from "fast-check";
import { expect, test } from "vitest";

import { signedRank } from "../../src/comparison/signed-rank.ts";

test("there is no result without differences", () => {
  expect(signedRank([])).toBeNull();
});

/** Hollander and Wolfe, example 3.1 (Hamilton's depression scale): W+ = 5 of 9, p = 0.039, shift −0.46, 95 % −0.786 to −0.010. */
test("a published example comes out as published", () => {
  const before = [1.83, 0.5, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.3];
  const after = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29];
  const found = signedRank(after.map((one, at) => one - (before[at] ?? 0)));
  expect(found?.pValue).toBeCloseTo(0.0391, 4);
  expect(found?.estimate).toBeCloseTo(-0.46, 3);
  expect(found?.interval?.[0]).toBeCloseTo(-0.786, 3);
  expect(found?.interval?.[1]).toBeCloseTo(-0.01, 3);
});

test("the probability counts all ways to choose the signs, also with ties and zeros", () => {
  const small = fc.array(fc.integer({ min: -4, max: 4 }), { minLength: 1, maxLength: 9 });
  fc.assert(
    fc.property(small, (differences) => {
      expect(signedRank(differences)?.pValue).toBeCloseTo(bySigns(differences), 10);
    }),
  );
});

test("swapping the sides turns the shift around and leaves the probability", () => {
  const values = fc.array(fc.double({ min: -10, max: 10, noNaN: true }), { minLength: 6, maxLength: 30 });
  fc.assert(
    fc.property(values, (differences) => {
      const one = signedRank(differences);
      const other = signedRank(differences.map((value) => -value));
      expect(other?.pValue).toBeCloseTo(one?.pValue ?? Number.NaN, 10);
      expect(other?.estimate).toBeCloseTo(-(one?.estimate ?? Number.NaN), 10);
      expect(other?.interval?.[0]).toBeCloseTo(-(one?.interval?.[1] ?? Number.NaN), 10);
    }),
  );
});

test("an interval needs six differences", () => {
  expect(signedRank([1, 2, 3, 4, 5])?.interval).toBeNull();
  expect(signedRank([1, 2, 3, 4, 5, 6])?.interval).toEqual([1, 6]);
});

/** Returns the p-value by trying all signs. */
function bySigns(differences: readonly number[]): number {
  const values = differences.filter((one) => one !== 0).map(Math.abs);
  const rankOf = (value: number): number =>
    values.filter((one) => one < value).length + (values.filter((one) => one === value).length + 1) / 2;
  const positive = (isPositive: (at: number) => boolean): number =>
    values.reduce((sum, value, at) => sum + (isPositive(at) ? rankOf(value) : 0), 0);
  const total = positive(() => true);
  const signs = differences.filter((one) => one !== 0).map((one) => one > 0);
  const lesser = Math.min(
    positive((at) => signs[at] === true),
    total - positive((at) => signs[at] === true),
  );
  const ways = 2 ** values.length;
  let below = 0;
  for (let way = 0; way < ways; way++) if (positive((at) => (way >> at) % 2 === 1) <= lesser) below++;
  return Math.min(1, (2 * below) / ways);
}
