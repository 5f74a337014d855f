import fc from "fast-check";
import { Int32Histogram } from "hdr-histogram-js";
import { expect, test } from "vitest";

import {
  highestOfBucket,
  indexOfValue,
  lowestOfBucket,
  magnitudeOf,
  widthOfBucket,
} from "../src/bucket-scale.ts";

const precisions = fc.constantFrom(2 as const, 3 as const);
const around = (power: number, by: number): number => Math.max(0, 2 ** power + by);
const values = fc.oneof(
  fc.nat(5000),
  fc.nat(2 ** 31 - 1),
  fc.integer({ min: 0, max: 2 ** 50 }),
  fc
    .record({ power: fc.nat(49), by: fc.integer({ min: -2, max: 2 }) })
    .map(({ power, by }) => around(power, by)),
);

test("values have the buckets of hdr-histogram-js", () => {
  fc.assert(
    fc.property(values, precisions, (value, precision) => {
      const magnitude = magnitudeOf(precision);
      const library = new Int32Histogram(1, 2, precision);
      const index = indexOfValue(value, magnitude);
      const lowest = lowestOfBucket(index, magnitude);
      expect({ index, lowest, highest: highestOfBucket(index, magnitude) }).toEqual({
        index: library.countsArrayIndex(value),
        lowest: library.valueFromIndex(index),
        highest: library.highestEquivalentValue(value),
      });
      expect(lowest <= value && value < lowest + widthOfBucket(index, magnitude)).toBe(true);
    }),
    { numRuns: 2000 },
  );
});
