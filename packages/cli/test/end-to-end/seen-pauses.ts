import { loadavg } from "node:os";

import type { TestResult } from "@bearhug/sdk";
import { expect } from "vitest";

/**
 * What a test file needs to look for pauses of its thread by itself. `tellPauses(metrics)` in an iteration records those since
 * the last call; the first one forgets what came before the load.
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
function tellPauses(metrics) {
  const told = pausesMs;
  pausesMs = [];
  if (hasBegun) for (const lateMs of told) metrics.seen_pause.add(lateMs);
  hasBegun = true;
}
`;

/** The metric that it records. */
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

/** The beginning of a reason that no pause shows: waits of less than 10 ms for a core add up. */
const crowded = "other processes had the CPU for";

/**
 * The generator is blamed for lateness where its own test saw it, and for nothing else: on a noisy machine anybody may be late,
 * and must say so.
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
  // Pauses of a twentieth of the run saturate it, longer than 100 ms each; those of a hundredth strain it.
  const isCrowded = generator.reasons.some((reason) => reason.startsWith(crowded));
  if (generator.verdict === "saturated" && !isCrowded)
    expect(totalMs, evidence).toBeGreaterThan(durationMs * 0.04);
  if (totalMs < durationMs * 0.005 && lagP99Ms < 19 && !isCrowded)
    expect(generator.verdict, evidence).toBe("healthy");
  if (longestMs > durationMs * 0.03) expect(generator.verdict, evidence).not.toBe("healthy");
}
