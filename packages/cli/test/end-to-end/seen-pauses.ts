import { loadavg } from "node:os";

import type { TestResult } from "@bearhug/sdk";
import { expect } from "vitest";

/**
 * Code with which a test file looks for pauses of its own thread. `recordPauses(metrics)` in an iteration
 * records those since the last call; the first call discards those before the load.
 */
export const lookForPauses = `
let lookedMs = performance.now();
let pausesMs = [];
setInterval(() => {
  const nowMs = performance.now();
  const lateMs = nowMs - lookedMs - 5;
  lookedMs = nowMs;
  if (lateMs >= 10) pausesMs.push(lateMs);
}, 5).unref();
let hasBegun = false;
function recordPauses(metrics) {
  const pauses = pausesMs;
  pausesMs = [];
  if (hasBegun) for (const lateMs of pauses) metrics.seen_pause.add(lateMs);
  hasBegun = true;
}
`;

/** Declares the metric that this code records. */
export const pauseMetric = `metrics: { seen_pause: { type: "trend" } }`;

interface SeenPauses {
  readonly totalMs: number;
  readonly longestMs: number;
}

export function pausesSeenIn({ metrics }: TestResult): SeenPauses {
  const seen = metrics["seen_pause"];
  if (seen?.type !== "trend") return { totalMs: 0, longestMs: 0 };
  const { avg, count, max } = seen.values;
  return { totalMs: avg * count, longestMs: max };
}

/** The beginning of a reason without visible pauses: waits of less than 10 ms for a core add up. */
const crowded = "other processes had the CPU for";

/**
 * Expects that the generator is blamed only for lateness that its own test saw: on a noisy machine any
 * generator may be late, and must report it.
 */
export function expectHonest(result: TestResult): void {
  const { generator, durationMs, metrics } = result;
  const { totalMs, longestMs } = pausesSeenIn(result);
  const lag = metrics["schedule_lag"];
  const lagP99Ms = lag?.type === "trend" ? lag.values["p(99)"]! : 0;
  const evidence = JSON.stringify({ generator, durationMs, totalMs, longestMs, lagP99Ms }, null, 1);
  for (const reason of generator.reasons) {
    if (reason.includes("late to notice events")) expect(longestMs, evidence).toBeGreaterThan(10);
    else if (reason.includes("started iterations up to")) expect(lagP99Ms, evidence).toBeGreaterThan(19);
    else if (reason.startsWith(crowded)) expect(loadavg()[0], evidence).toBeGreaterThan(1);
    else expect.fail(`blamed for something else: ${evidence}`);
  }
  // Pauses over 100 ms make it saturated from 5 % of the run on in total; pauses of 1 % make it strained.
  const isCrowded = generator.reasons.some((reason) => reason.startsWith(crowded));
  if (generator.verdict === "saturated" && !isCrowded)
    expect(totalMs, evidence).toBeGreaterThan(durationMs * 0.04);
  if (totalMs < durationMs * 0.005 && lagP99Ms < 19 && !isCrowded)
    expect(generator.verdict, evidence).toBe("healthy");
  if (longestMs > durationMs * 0.03) expect(generator.verdict, evidence).not.toBe("healthy");
}
