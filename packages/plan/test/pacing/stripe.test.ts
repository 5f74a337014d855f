import fc from "fast-check";
import { expect, test } from "vitest";

import { placeAmong, stripeAt, stripeNumber, stripeSize, type StripePlace } from "../../src/pacing/stripe.ts";

const workers = fc.integer({ min: 1, max: 64 });

/** Returns the numbers of all workers. */
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

/** The number of workers on each machine. Each machine is a shard. */
const machines = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 7 });

function placesOf(workers: readonly number[]): StripePlace[] {
  return workers.flatMap((count, shard) =>
    Array.from({ length: count }, (_, index) => ({
      shard: { index: shard, count: workers.length },
      worker: { index, count },
    })),
  );
}

function numbersAt(total: number, place: StripePlace): number[] {
  const stripe = stripeAt(place);
  return Array.from({ length: stripeSize(total, stripe) }, (_, position) => stripeNumber(position, stripe));
}

function upTo(total: number): number[] {
  return Array.from({ length: total }, (_, number) => number);
}

test("shards with different numbers of workers lose and double no number", () => {
  fc.assert(
    fc.property(machines, fc.nat(300), (workers, total) => {
      const numbers = placesOf(workers).flatMap((place) => numbersAt(total, place));
      expect(numbers.toSorted((left, right) => left - right)).toEqual(upTo(total));
    }),
  );
});

test("work is shared out among the places that have a virtual user, and among no others", () => {
  fc.assert(
    fc.property(machines, fc.integer({ min: 1, max: 30 }), fc.nat(300), (workers, vus, total) => {
      const among = placesOf(workers).flatMap((place) => placeAmong(place, vus) ?? []);
      const numbers = among.flatMap((place) => numbersAt(total, place));
      expect(numbers.toSorted((left, right) => left - right)).toEqual(upTo(total));
      for (const place of among) expect(stripeSize(vus, stripeAt(place))).toBeGreaterThan(0);
    }),
  );
});
