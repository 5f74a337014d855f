import type { StallResult } from "@bearhug/sdk/internal";

import { judgeValue, type Bounds, type Finding } from "./finding.ts";

/** Shares of the run: stalls of a twentieth of it reach its 95th percentiles. */
const stallBounds: Bounds = { strained: 0, saturated: 0.05 };

/** More than this are counted together. */
const maxTold = 3;

export function judgeStalls(stalls: readonly StallResult[], durationMs: number): Finding[] {
  if (stalls.length === 0) return [];
  const stoodMs = sum(stalls);
  const share = stoodMs / Math.max(durationMs, stoodMs);
  const rest = stalls.slice(maxTold);
  const reasons = [
    ...stalls.slice(0, maxTold).map(describeStall),
    ...(rest.length === 0 ? [] : [`it paused ${rest.length} more times, ${seconds(sum(rest))} in all`]),
  ];
  return reasons.flatMap((reason) => judgeValue(share, stallBounds, () => reason));
}

export function describeStall({ atMs, durationMs }: StallResult): string {
  return `the whole process paused for ${seconds(durationMs)} at ${seconds(atMs)} (suspended, or starved of CPU): measurements from then say nothing about the target`;
}

function sum(stalls: readonly StallResult[]): number {
  return stalls.reduce((total, { durationMs }) => total + durationMs, 0);
}

function seconds(durationMs: number): string {
  return `${(durationMs / 1000).toFixed(1)} s`;
}
