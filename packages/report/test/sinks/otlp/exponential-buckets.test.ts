import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { ExponentialBuckets } from "../../../src/sinks/otlp/exponential-buckets.ts";

const value = fc.double({ min: 1e-6, max: 3600, noNaN: true });

function bucketsOf(values: readonly number[]): ExponentialBuckets {
  const buckets = new ExponentialBuckets();
  for (const one of values) buckets.add(one, 1);
  return buckets;
}

/** Returns the bounds of the bucket with the `rank`-th smallest value. */
function boundsAt(
  { scale, dense }: { scale: number; dense: ReturnType<ExponentialBuckets["dense"]> },
  rank: number,
) {
  const base = 2 ** (2 ** -scale);
  let seen = 0;
  const at = dense.counts.findIndex((count) => (seen += count) >= rank);
  return [base ** (dense.offset + at), base ** (dense.offset + at + 1)] as const;
}

describe("an exponential histogram", () => {
  test("has each value between the bounds of its bucket, in at most 160 buckets", () => {
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 200 }), (values) => {
        const buckets = bucketsOf(values);
        const dense = buckets.dense();
        expect(dense.counts.length).toBeLessThanOrEqual(160);
        expect(dense.counts.reduce((sum, count) => sum + count, 0)).toBe(values.length);
        const sorted = values.toSorted((left, right) => left - right);
        for (const [index, one] of sorted.entries()) {
          const [above, upTo] = boundsAt({ scale: buckets.scale, dense }, index + 1);
          expect(one).toBeGreaterThan(above * (1 - 1e-9));
          expect(one).toBeLessThanOrEqual(upTo * (1 + 1e-9));
        }
      }),
    );
  });

  test("is the same whether values are added directly or merged", () => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 50 }), fc.array(value, { maxLength: 50 }), (one, other) => {
        const merged = bucketsOf(one);
        merged.merge(bucketsOf(other));
        const atOnce = bucketsOf([...one, ...other]);
        expect([merged.scale, merged.dense()]).toEqual([atOnce.scale, atOnce.dense()]);
      }),
    );
  });

  test("counts zeros separately, and has no buckets for them", () => {
    const buckets = bucketsOf([0, 0]);
    expect(buckets.zeros).toBe(2);
    expect(buckets.dense()).toEqual({ offset: 0, counts: [] });
  });

  test("puts powers of two at the top of their buckets, as the specification requires", () => {
    const buckets = bucketsOf([1, 2]);
    const { offset, counts } = buckets.dense();
    expect([buckets.scale, offset, counts.length]).toEqual([7, -1, 2 ** 7 + 1]);
  });
});
