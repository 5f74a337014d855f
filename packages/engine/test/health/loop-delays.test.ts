import { describe, expect, test } from "vitest";

import { LoopDelays } from "../../src/health/loop-watch.ts";

/** Returns the delays of a timer that was due every 10 ms, in a run with these pauses. */
function delaysOf(pausesMs: readonly number[], runMs: number): LoopDelays {
  const delays = new LoopDelays();
  for (const pauseMs of pausesMs) delays.add(10 + pauseMs, pauseMs);
  const restMs = runMs - pausesMs.reduce((sum, pauseMs) => sum + 10 + pauseMs, 0);
  for (let spentMs = 0; spentMs < restMs; spentMs += 10) delays.add(10, 0);
  return delays;
}

/** Computes the percentile by brute force, from the delay at each tenth of a millisecond of the run. */
function bruteForcePercentile(pausesMs: readonly number[], runMs: number, percent: number): number {
  const delayed = pausesMs.flatMap((pauseMs) =>
    Array.from({ length: pauseMs * 10 }, (_, tenth) => pauseMs - tenth / 10),
  );
  const sorted = [...delayed, ...Array.from({ length: runMs * 10 - delayed.length }, () => 0)].toSorted(
    (a, b) => a - b,
  );
  return sorted[Math.ceil((sorted.length * percent) / 100) - 1]!;
}

describe("the percentile of event-loop delays", () => {
  test.each([
    { pausesMs: [900, 900, 900], runMs: 8000 },
    { pausesMs: [500, 500, 30, 25], runMs: 6000 },
    { pausesMs: [200], runMs: 6000 },
    { pausesMs: Array.from({ length: 40 }, (_, index) => 21 + index), runMs: 5000 },
  ])("counts moments of the run, not calls of the timer: $pausesMs in $runMs ms", ({ pausesMs, runMs }) => {
    for (const percent of [95, 99]) {
      const delay = delaysOf(pausesMs, runMs).percentile(percent);
      expect(Math.abs(delay - bruteForcePercentile(pausesMs, runMs, percent))).toBeLessThan(0.3);
    }
  });

  test("is 0 if pauses cover less of the run than the percentile needs, or nothing was measured", () => {
    expect(delaysOf([200], 30_000).percentile(99)).toBe(0);
    expect(delaysOf([], 5000).percentile(99)).toBe(0);
    expect(new LoopDelays().percentile(99)).toBe(0);
  });

  test("starts afresh after clear()", () => {
    const delays = delaysOf([900], 2000);
    expect(delays.percentile(95)).toBeGreaterThan(700);
    delays.clear();
    delays.add(1000, 0);
    expect(delays.percentile(95)).toBe(0);
  });
});
