import { describe, expect, test } from "vitest";

import { LoopDelays } from "../../src/health/loop-watch.ts";

/** A run of looks that were due every 10 ms, with pauses among them. */
function delaysOf(pausesMs: readonly number[], runMs: number): LoopDelays {
  const delays = new LoopDelays();
  for (const pauseMs of pausesMs) delays.add(10 + pauseMs, pauseMs);
  const restMs = runMs - pausesMs.reduce((sum, pauseMs) => sum + 10 + pauseMs, 0);
  for (let spentMs = 0; spentMs < restMs; spentMs += 10) delays.add(10, 0);
  return delays;
}

/** The same by brute force: what each of the run's tenths of a millisecond met. */
function percentileOfMoments(pausesMs: readonly number[], runMs: number, percent: number): number {
  const met = pausesMs.flatMap((pauseMs) =>
    Array.from({ length: pauseMs * 10 }, (_, tenth) => pauseMs - tenth / 10),
  );
  const sorted = [...met, ...Array.from({ length: runMs * 10 - met.length }, () => 0)].toSorted(
    (a, b) => a - b,
  );
  return sorted[Math.ceil((sorted.length * percent) / 100) - 1]!;
}

describe("the delay that a moment of the run meets", () => {
  test.each([
    { pausesMs: [900, 900, 900], runMs: 8000 },
    { pausesMs: [500, 500, 30, 25], runMs: 6000 },
    { pausesMs: [200], runMs: 6000 },
    { pausesMs: Array.from({ length: 40 }, (_, index) => 21 + index), runMs: 5000 },
  ])("counts moments, not looks: $pausesMs in $runMs ms", ({ pausesMs, runMs }) => {
    for (const percent of [95, 99]) {
      const delay = delaysOf(pausesMs, runMs).percentile(percent);
      expect(Math.abs(delay - percentileOfMoments(pausesMs, runMs, percent))).toBeLessThan(0.3);
    }
  });

  test("is none where pauses touched fewer moments than are asked for, or nothing was seen", () => {
    expect(delaysOf([200], 30_000).percentile(99)).toBe(0);
    expect(delaysOf([], 5000).percentile(99)).toBe(0);
    expect(new LoopDelays().percentile(99)).toBe(0);
  });

  test("is forgotten when it is told", () => {
    const delays = delaysOf([900], 2000);
    expect(delays.percentile(95)).toBeGreaterThan(700);
    delays.clear();
    delays.add(1000, 0);
    expect(delays.percentile(95)).toBe(0);
  });
});
