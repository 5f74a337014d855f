import { expect, test } from "vitest";

import { compareTurns } from "../../src/comparison/compare-turns.ts";
import { simulateRun } from "./simulated-turns.ts";

/** Returns the share of simulated runs in which a figure that `isCounted` is called different. */
function shareCalledDifferent(
  runs: number,
  { variants, blocks, factors }: { variants: number; blocks: number; factors: readonly number[] },
  isCounted: (figure: number) => boolean = () => true,
): number {
  const called = Array.from({ length: runs }, (_, seed) =>
    compareTurns(simulateRun({ seed, variants, blocks, factors })).some(
      ({ isReal }, figure) => isReal && isCounted(figure),
    ),
  );
  return called.filter(Boolean).length / runs;
}

/** Returns Wilson's 95 % interval for a share of `runs` runs. */
function wilson(share: number, runs: number): readonly [low: number, high: number] {
  const z = 1.96;
  const middle = (share + z ** 2 / (2 * runs)) / (1 + z ** 2 / runs);
  const half = (z * Math.sqrt((share * (1 - share)) / runs + z ** 2 / (4 * runs ** 2))) / (1 + z ** 2 / runs);
  return [middle - half, middle + half];
}

test.each([
  { variants: 2, blocks: 24 },
  { variants: 3, blocks: 16 },
])("$variants equal variants are called different in at most 1 of 20 runs of $blocks blocks", (run) => {
  const share = shareCalledDifferent(1000, { ...run, factors: [] });
  expect(share).toBeLessThanOrEqual(0.05);
  // The true share is no greater than 0.06, and the comparison does call some runs different.
  expect(wilson(share, 1000)[1]).toBeLessThanOrEqual(0.06);
  expect(share).toBeGreaterThan(0.002);
});

test("a variant that takes a third longer is detected in nine of ten runs", () => {
  const share = shareCalledDifferent(100, { variants: 2, blocks: 48, factors: [1, 1.33] });
  expect(share).toBeGreaterThanOrEqual(0.9);
});

test("one slow variant among six does not make the equal ones look different", () => {
  const figuresOfEach = 4;
  const factors = [1, 1.5, 1, 1, 1, 1];
  const isEqual = (figure: number): boolean => figure >= figuresOfEach;
  expect(shareCalledDifferent(150, { variants: 6, blocks: 16, factors }, isEqual)).toBeLessThanOrEqual(0.05);
});
