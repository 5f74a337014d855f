import { expect, test } from "vitest";

import { compareTurns, type PairedFigure } from "../../src/comparison/compare-turns.ts";

const blocks = [1.2, 0.9, 1.1, 1, 1.3, 0.8, 1.05, 0.95, 1.15, 0.85];
const noise = [1.01, 0.99, 1.02, 0.98, 1, 1.03, 0.97, 1.015, 0.985, 1.005];

function relative(factor: number): PairedFigure {
  return {
    base: blocks,
    other: blocks.map((one, at) => one * factor * (noise[at] ?? 1)),
    change: "relative",
  };
}

test("an increase by a tenth in each turn is found to be real, whatever drifts from block to block", () => {
  const [found] = compareTurns([relative(1.1)]);
  expect(found?.isReal).toBe(true);
  expect(found?.change).toBeCloseTo(0.1, 2);
  expect(found?.interval?.[0]).toBeGreaterThan(0.08);
  expect(found?.interval?.[1]).toBeLessThan(0.12);
});

test("equal sides do not differ", () => {
  const [same, close] = compareTurns([{ base: blocks, other: blocks, change: "relative" }, relative(1)]);
  expect(same).toEqual({ change: 0, interval: [0, 0], isReal: false });
  expect(close?.isReal).toBe(false);
});

test("the more figures are compared, the clearer each difference must be", () => {
  // Nine of ten turns are greater, which chance does in 1 of 256 cases.
  const nearly: PairedFigure = {
    base: blocks.map(() => 0),
    other: blocks.map((_, at) => (at === 0 ? -0.5 : at)),
    change: "absolute",
  };
  const equal: PairedFigure = { base: blocks, other: blocks, change: "absolute" };
  expect(compareTurns([nearly])[0]?.isReal).toBe(true);
  expect(compareTurns([nearly, ...Array.from({ length: 20 }, () => equal)])[0]?.isReal).toBe(false);
});

test("blocks in which a side has no value are left out", () => {
  const [found] = compareTurns([{ base: [1, null, 3, 0], other: [2, 2, null, 5], change: "relative" }]);
  expect(found).toEqual({ change: 1, interval: null, isReal: false });
  expect(compareTurns([{ base: [null], other: [1], change: "absolute" }])[0]).toMatchObject({
    change: null,
  });
});
