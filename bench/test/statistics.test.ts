import fc from "fast-check";
import { expect, test } from "vitest";

import { median, spreadOf } from "../statistics.ts";

test.for([
  [[3], 3],
  [[5, 1, 3], 3],
  [[4, 1, 3, 2], 2.5],
  [[], Number.NaN],
] as const)("the median of %j is %d", ([figures, expected]) => {
  expect(median(figures)).toBe(expected);
});

test("at most half of all figures are on either side of the median", () => {
  const figures = fc.array(fc.double({ noNaN: true, min: -1e9, max: 1e9 }), { minLength: 1 });
  fc.assert(
    fc.property(figures, (all) => {
      const middle = median(all);
      expect(all.filter((each) => each < middle).length).toBeLessThanOrEqual(all.length / 2);
      expect(all.filter((each) => each > middle).length).toBeLessThanOrEqual(all.length / 2);
    }),
  );
});

test("a spread has the median, the minimum and the maximum", () => {
  expect(spreadOf([7, 2, 9])).toEqual({ median: 7, least: 2, most: 9 });
});
