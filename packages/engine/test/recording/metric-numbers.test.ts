import type { MetricDelta } from "@bearhug/metrics/accumulator";
import { Trend } from "@bearhug/metrics/trend";
import fc from "fast-check";
import { expect, test } from "vitest";

import { fromNumbers, toNumbers } from "../../src/recording/metric-numbers.ts";

const values = fc.double({ min: 0, max: 1e9, noNaN: true });
const counts = fc.nat();

const trends = fc
  .tuple(fc.constantFrom(2 as const, 3 as const), fc.array(fc.double({ min: 0, max: 1e7, noNaN: true })))
  .map(([precision, samples]): MetricDelta => {
    const trend = new Trend(precision);
    for (const [index, sample] of [...samples, 0].entries()) {
      if (index % 3 === 1) trend.addLowerBound(sample);
      else trend.add(sample);
    }
    return trend.toDelta();
  });

const deltas: fc.Arbitrary<MetricDelta> = fc.oneof(
  fc.record({ type: fc.constant("counter" as const), total: values, samples: counts }),
  fc.record({ type: fc.constant("rate" as const), trues: counts, samples: counts }),
  fc.record({
    type: fc.constant("gauge" as const),
    value: values,
    min: values,
    max: values,
    sum: values,
    samples: counts,
  }),
  trends,
);

test("the values of a metric survive being written as JSON and read back exactly", () => {
  fc.assert(
    fc.property(deltas, (delta) => {
      const written = JSON.stringify(toNumbers(delta));
      expect(fromNumbers(JSON.parse(written) as number[])).toEqual(delta);
    }),
  );
});

test("numbers that cannot be those of a metric are refused", () => {
  const trend = [3, 3, 1, 0, 5, 5, 5, 0, 0];
  for (const numbers of [
    [],
    [0, 1],
    [4, 1, 2],
    [-1, 1, 2],
    [2, 1, 2, 3],
    [3, 7, 1, 0, 5, 5, 5, 0, 0],
    [3, 3, 1, 0, 5, 5, 5],
    [...trend, 1],
    [...trend, -1, 1],
    [...trend, 1, 0.5],
    [...trend, 2 ** 40, 1],
  ]) {
    expect(fromNumbers(numbers), JSON.stringify(numbers)).toBeNull();
  }
  expect(fromNumbers([...trend, 5, 1])).toMatchObject({ buckets: Uint32Array.of(5, 1) });
});
