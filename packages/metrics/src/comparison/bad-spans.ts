import type { IntervalResult } from "@bearhug/sdk";

import type { NamedRun } from "./comparable.ts";

/**
 * Sentences about times in which a side was down, or far slower than the other one ever was. Figures of the
 * whole run hide such times.
 */
export interface BadTimes {
  readonly base: readonly string[];
  readonly other: readonly string[];
}

/** Looks for the bad times of each run, given the runs of the opposite side. */
export function onBothSides(
  base: readonly NamedRun[],
  other: readonly NamedRun[],
  find: (run: NamedRun, opposite: readonly NamedRun[]) => string[],
): BadTimes {
  return { base: base.flatMap((run) => find(run, other)), other: other.flatMap((run) => find(run, base)) };
}

/** A part of a run, from the start of its load. */
export interface TimeSpan {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Returns the spans of the intervals for which `matches` is true; adjacent intervals are joined. */
export function spansWhere(
  intervals: readonly IntervalResult[],
  matches: (interval: IntervalResult, at: number) => boolean,
): TimeSpan[] {
  const spans: { fromMs: number; untilMs: number }[] = [];
  let isInside = false;
  for (const [at, interval] of intervals.entries()) {
    const { atMs, widthMs } = interval;
    const wasInside = isInside;
    const last = spans.at(-1);
    isInside = matches(interval, at);
    if (!isInside) continue;
    if (wasInside && last !== undefined) last.untilMs = atMs;
    else spans.push({ fromMs: atMs - widthMs, untilMs: atMs });
  }
  return spans;
}

export function lengthOf({ fromMs, untilMs }: TimeSpan): number {
  return untilMs - fromMs;
}
