import fc from "fast-check";
import { expect, test } from "vitest";

import { stripeNumber, stripeSize } from "../../src/pacing/stripe.ts";

const workers = fc.integer({ min: 1, max: 64 });

/** The numbers of each worker, all together. */
function allNumbers(total: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => index).flatMap((index) =>
    Array.from({ length: stripeSize(total, { index, count }) }, (_, position) =>
      stripeNumber(position, { index, count }),
    ),
  );
}

test("no number is lost or doubled when work is striped over workers", () => {
  fc.assert(
    fc.property(fc.nat(5000), workers, (total, count) => {
      const numbers = allNumbers(total, count).sort((left, right) => left - right);
      expect(numbers).toEqual(Array.from({ length: total }, (_, number) => number));
    }),
  );
});

test("shares differ by one at most", () => {
  fc.assert(
    fc.property(fc.nat(1_000_000_000), workers, (total, count) => {
      const shares = Array.from({ length: count }, (_, index) => stripeSize(total, { index, count }));
      expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
      expect(shares.reduce((sum, share) => sum + share, 0)).toBe(total);
    }),
  );
});

test("number i belongs to worker i mod n", () => {
  fc.assert(
    fc.property(fc.nat(1_000_000), workers, (position, count) => {
      const index = position % count;
      const number = stripeNumber(position, { index, count });
      expect(number % count).toBe(index);
    }),
  );
});
