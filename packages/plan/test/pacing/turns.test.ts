import fc from "fast-check";
import { expect, test } from "vitest";

import { blocksBefore, turnAt, type TurnRule } from "../../src/pacing/turns.ts";

const rules = fc.record({
  seed: fc.nat(2 ** 32),
  variants: fc.integer({ min: 2, max: 8 }),
  turnMs: fc.integer({ min: 50, max: 5000 }),
  changeoverMs: fc.integer({ min: 0, max: 40 }),
});

/** Returns the variants of a block in the order of their turns. */
function orderOf(rule: TurnRule, block: number): number[] {
  return Array.from({ length: rule.variants }, (_, position) => {
    const middleMs = (block * rule.variants + position + 0.9) * rule.turnMs;
    const turn = turnAt(rule, middleMs);
    expect(turn).toMatchObject({ block, isChangeover: false });
    return turn.variant;
  });
}

test("each variant has one turn in each block, also in a warm-up before the start", () => {
  fc.assert(
    fc.property(rules, fc.integer({ min: -50, max: 1000 }), (rule, block) => {
      expect(orderOf(rule, block).toSorted()).toEqual([...Array(rule.variants).keys()]);
    }),
  );
});

test("a turn lasts until its untilMs, and not beyond", () => {
  fc.assert(
    fc.property(rules, fc.integer({ min: -1e8, max: 1e9 }), (rule, atUs) => {
      const atMs = atUs / 1000;
      const turn = turnAt(rule, atMs);
      expect(turn.untilMs).toBeGreaterThan(atMs);
      expect(turnAt(rule, (atMs + turn.untilMs) / 2)).toEqual(turn);
      expect(turnAt(rule, turn.untilMs)).not.toEqual(turn);
    }),
  );
});

test("chance decides which variant comes first: each of two does in about half of the blocks", () => {
  const rule = { seed: 7, variants: 2, turnMs: 100, changeoverMs: 20 };
  const firsts = Array.from({ length: 2000 }, (_, block) => orderOf(rule, block)[0] ?? 0);
  const share = firsts.reduce((sum, one) => sum + one, 0) / firsts.length;
  expect(share).toBeGreaterThan(0.45);
  expect(share).toBeLessThan(0.55);
  const repeated = firsts.filter((one, block) => block > 0 && one === firsts[block - 1]).length;
  expect(repeated / firsts.length).toBeGreaterThan(0.45);
  expect(repeated / firsts.length).toBeLessThan(0.55);
});

test("another seed gives another order", () => {
  const ordersOf = (seed: number): number[][] =>
    Array.from({ length: 20 }, (_, block) =>
      orderOf({ seed, variants: 3, turnMs: 100, changeoverMs: 20 }, block),
    );
  expect(ordersOf(1)).toEqual(ordersOf(1));
  expect(ordersOf(1)).not.toEqual(ordersOf(2));
});

test("only whole blocks count as over", () => {
  const rule = { seed: 1, variants: 2, turnMs: 250, changeoverMs: 50 };
  expect([0, 499, 500, 1499, 1500].map((endMs) => blocksBefore(rule, endMs))).toEqual([0, 0, 1, 2, 3]);
  expect(blocksBefore(rule, -100)).toBe(0);
});
