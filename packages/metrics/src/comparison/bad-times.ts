import type { IntervalResult } from "@bearhug/sdk";

/** Sentences about a time in which a side was down, or far slower than the other one ever was. Figures of all its time say little of it. */
export interface BadTimes {
  readonly base: readonly string[];
  readonly other: readonly string[];
}

/** A part of a run, from the start of its load. */
export interface TimeSpan {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** The intervals for which `isMeant` holds, joined where one follows the other. */
export function spansWhere(
  intervals: readonly IntervalResult[],
  isMeant: (interval: IntervalResult, at: number) => boolean,
): TimeSpan[] {
  const spans: { fromMs: number; untilMs: number }[] = [];
  let isInside = false;
  for (const [at, interval] of intervals.entries()) {
    const { atMs, widthMs } = interval;
    const wasInside = isInside;
    const last = spans.at(-1);
    isInside = isMeant(interval, at);
    if (!isInside) continue;
    if (wasInside && last !== undefined) last.untilMs = atMs;
    else spans.push({ fromMs: atMs - widthMs, untilMs: atMs });
  }
  return spans;
}

export function lengthOf({ fromMs, untilMs }: TimeSpan): number {
  return untilMs - fromMs;
}
