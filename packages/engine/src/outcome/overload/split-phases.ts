import { mean, median } from "@bearhug/metrics/statistics";
import type { OverloadLoad } from "@bearhug/plan/protocol/overload-load";
import type { OverloadPhase } from "@bearhug/sdk/result";

import type { LoadSecond } from "./load-second.ts";

/** A phase with its intervals. */
export interface MeasuredPhase extends OverloadPhase {
  readonly seconds: readonly LoadSecond[];
}

/** The three phases of a run, as far as it got. */
export interface Phases {
  readonly base: MeasuredPhase;
  readonly past: MeasuredPhase;
  readonly recovery: MeasuredPhase;
}

export function splitPhases(load: OverloadLoad, seconds: readonly LoadSecond[]): Phases {
  const { rate, factor, phaseMs } = load;
  const within = (index: number): readonly LoadSecond[] =>
    seconds.filter(({ fromMs, toMs }) => fromMs >= index * phaseMs && toMs <= (index + 1) * phaseMs);
  // Leave out the first second of two phases: connections open at the start, and backlogs form when the rate
  // rises.
  const [base, past, recovery] = [within(0).slice(1), within(1).slice(1), within(2)];
  const each = requestsPerIteration(base) ?? 1;
  const phase = (
    name: OverloadPhase["name"],
    index: number,
    perSecond: number,
    of: readonly LoadSecond[],
  ): MeasuredPhase => ({
    name,
    fromMs: index * phaseMs,
    toMs: (index + 1) * phaseMs,
    offered: perSecond * each,
    goodput: mean(of.map(({ goodput }) => goodput)),
    failed: mean(of.map(({ failed }) => failed)),
    dropped: mean(of.map(({ dropped }) => dropped)),
    p95: medianP95(of),
    connectionsOpened: mean(of.map(({ connectionsOpened }) => connectionsOpened)),
    requestsPerIteration: requestsPerIteration(of),
    seconds: of,
  });
  return {
    base: phase("base", 0, rate, base),
    past: phase("past", 1, rate * factor, past),
    recovery: phase("recovery", 2, rate, recovery),
  };
}

export function medianP95(seconds: readonly LoadSecond[]): number | null {
  return median(seconds.flatMap(({ p95 }) => (p95 === null ? [] : [p95])));
}

function requestsPerIteration(seconds: readonly LoadSecond[]): number | null {
  const iterations = mean(seconds.map((second) => second.iterations));
  return iterations === 0 ? null : mean(seconds.map(({ goodput, failed }) => goodput + failed)) / iterations;
}

/**
 * Returns three standard errors of a rate per second that was counted for `ms`, assuming Poisson arrivals.
 */
export function uncertaintyOf(rate: number, ms: number): number {
  return 3 * Math.sqrt((rate * 1000) / ms);
}
