import { expect, test } from "vitest";

import { blockInterval } from "../../src/comparison/block-interval.ts";
import { randomSource } from "../../src/pacing/random-source.ts";

test("five blocks have Student's interval: mean ± 2.776 standard errors", () => {
  const [low, high] = blockInterval(3, [1, 2, 3, 4, 5]) ?? [];
  const half = 2.776 * Math.sqrt(2.5 / 5);
  expect(low).toBeCloseTo(3 - half, 1);
  expect(high).toBeCloseTo(3 + half, 1);
});

test("fewer have none, and no interval reaches below 0", () => {
  expect(blockInterval(3, [1, 2, 3, 4])).toBeNull();
  expect(blockInterval(1, [0, 0, 0, 0, 5])?.[0]).toBe(0);
});

test("the interval covers the true mean in about 95 of 100 runs, also of few blocks", () => {
  const random = randomSource(1, 1);
  const runs = 2000;
  const covered = Array.from({ length: runs }, () => {
    const blocks = Array.from({ length: 8 }, () => 10 + random() + random() + random());
    const mean = blocks.reduce((sum, one) => sum + one, 0) / blocks.length;
    const [low = 0, high = 0] = blockInterval(mean, blocks) ?? [];
    return low <= 11.5 && 11.5 <= high;
  });
  const share = covered.filter(Boolean).length / runs;
  expect(share).toBeGreaterThan(0.935);
  expect(share).toBeLessThan(0.965);
});
