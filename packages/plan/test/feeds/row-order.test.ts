import fc from "fast-check";
import { expect, test } from "vitest";

import { rowOrder } from "../../src/feeds/row-order.ts";

const upTo = (count: number): number[] => Array.from({ length: count }, (_, position) => position);

test("sequential rows begin again after the last", () => {
  expect(upTo(7).map(rowOrder("sequential", 3, 1, "users"))).toEqual([0, 1, 2, 0, 1, 2, 0]);
});

test("shuffled rows come once in each round, in the same order for the same seed and feed", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 200 }), fc.nat(), (count, seed) => {
      const order = rowOrder("shuffled", count, seed, "users");
      const round = upTo(count).map(order);
      expect(round.toSorted((left, right) => left - right)).toEqual(upTo(count));
      expect(upTo(count).map((position) => order(position + count))).toEqual(round);
      expect(upTo(count).map(rowOrder("shuffled", count, seed, "users"))).toEqual(round);
    }),
  );
  const orders = [rowOrder("shuffled", 50, 1, "users"), rowOrder("shuffled", 50, 2, "users")];
  const others = [...orders, rowOrder("shuffled", 50, 1, "products")];
  expect(new Set(others.map((order) => upTo(50).map(order).join())).size).toBe(3);
});

test("random rows are any of the rows, the same at the same position", () => {
  const order = rowOrder("random", 5, 1, "users");
  const drawn = upTo(200).map(order);
  expect(new Set(drawn)).toEqual(new Set(upTo(5)));
  expect(upTo(200).map(rowOrder("random", 5, 1, "users"))).toEqual(drawn);
});
