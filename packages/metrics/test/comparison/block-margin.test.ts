import { expect, test } from "vitest";

import { blockMargin } from "../../src/comparison/blocked-samples.ts";
import { randomSource } from "../../../plan/src/pacing/random-source.ts";

test("five blocks of equal size have Student's interval: mean ± 2.776 standard errors", () => {
  const blocks = [1, 2, 3, 4, 5].map((part) => ({ part, whole: 1 }));
  expect(blockMargin(blocks)).toBeCloseTo(2.776 * Math.sqrt(2.5 / 5), 1);
});

test("blocks that all have the same ratio leave no doubt, however large they are", () => {
  expect(blockMargin([1, 5, 2, 8, 3].map((whole) => ({ part: 7 * whole, whole })))).toBe(0);
});

test("fewer than five blocks have no interval; empty ones do not count", () => {
  const block = { part: 1, whole: 1 };
  expect(blockMargin([block, block, block, block])).toBeNull();
  expect(blockMargin([block, block, block, block, { part: 0, whole: 0 }])).toBeNull();
});

test("the interval covers the true ratio in about 95 of 100 runs, also of few blocks", () => {
  const random = randomSource(1, 1);
  const runs = 2000;
  const covered = Array.from({ length: runs }, () => {
    const blocks = Array.from({ length: 10 }, () => {
      const whole = 5 + random();
      return { part: whole * (10 + random() + random() + random()), whole };
    });
    const sum = (of: "part" | "whole"): number => blocks.reduce((total, one) => total + one[of], 0);
    return Math.abs(sum("part") / sum("whole") - 11.5) <= (blockMargin(blocks) ?? 0);
  });
  const share = covered.filter(Boolean).length / runs;
  expect(share).toBeGreaterThan(0.935);
  expect(share).toBeLessThan(0.965);
});
