import { sumBy } from "@bearhug/metrics/sum";
import type { StallResult } from "@bearhug/sdk/result";

import { type FindingBounds, type GeneratorFinding, checkBounds } from "./finding.ts";

/** A time in which the whole process stood still; clock times. */
export interface Stall {
  readonly fromMs: number;
  /** A lower bound. */
  readonly durationMs: number;
}

/** A beat this late cannot be explained by other work of the thread alone. */
const minLateMs = 1000;

/** A process that used more than this share of a core was busy: only its timers stood still. */
const busyShare = 0.75;

/** The most stalls that are kept: a longer list would not be read. */
const maxStalls = 100;

/** Finds stalls in the beats of a timer: a late beat without CPU use means that the whole process stood still. */
export class StallWatch {
  readonly #periodMs: number;
  #beatMs: number;
  #cpuMs: number;
  readonly #stalls: Stall[] = [];

  constructor(periodMs: number, nowMs: number, cpuMs: number) {
    this.#periodMs = periodMs;
    this.#beatMs = nowMs;
    this.#cpuMs = cpuMs;
  }

  /**
   * Returns the stall that ended with this beat; null for none. `cpuMs` is the CPU time that the process has
   * used so far.
   */
  beat(nowMs: number, cpuMs: number): Stall | null {
    const [fromMs, gapMs, usedMs] = [this.#beatMs, nowMs - this.#beatMs, cpuMs - this.#cpuMs];
    this.#beatMs = nowMs;
    this.#cpuMs = cpuMs;
    const durationMs = gapMs - this.#periodMs;
    if (durationMs < minLateMs || usedMs > durationMs * busyShare) return null;
    const stall = { fromMs, durationMs };
    if (this.#stalls.length < maxStalls) this.#stalls.push(stall);
    return stall;
  }

  get stalls(): readonly Stall[] {
    return this.#stalls;
  }
}

/** Shares of the run: stalls of a twentieth of it affect its 95th percentiles. */
const stallBounds: FindingBounds = { strained: 0, saturated: 0.05 };

/** Stalls beyond this many are summed up in one reason. */
const maxListed = 3;

export function diagnoseStalls(stalls: readonly StallResult[], durationMs: number): GeneratorFinding[] {
  if (stalls.length === 0) return [];
  const stoodMs = sumBy(stalls, (stall) => stall.durationMs);
  const share = stoodMs / Math.max(durationMs, stoodMs);
  const rest = stalls.slice(maxListed);
  const reasons = [
    ...stalls.slice(0, maxListed).map(describeStall),
    ...(rest.length === 0
      ? []
      : [`it paused ${rest.length} more times, ${seconds(sumBy(rest, (stall) => stall.durationMs))} in all`]),
  ];
  return reasons.flatMap((reason) => checkBounds(share, stallBounds, () => reason));
}

export function describeStall({ atMs, durationMs }: StallResult): string {
  return `the whole process paused for ${seconds(durationMs)} at ${seconds(atMs)} (suspended, or starved of CPU): measurements from then say nothing about the target`;
}

function seconds(durationMs: number): string {
  return `${(durationMs / 1000).toFixed(1)} s`;
}
