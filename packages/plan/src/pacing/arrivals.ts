import type { RandomSource } from "./random-source.ts";
import { constantRate, type RateProfile } from "./rate-profile.ts";

/** The intended starts of an open model's iterations. Pure: no clock, no state. */
export interface ArrivalSchedule {
  /** Milliseconds after the scenario's start at which arrival `index` (from 0) is due; Infinity past the last. */
  dueMs(index: number): number;
}

/** A schedule with a known number of arrivals. */
export interface CountedSchedule extends ArrivalSchedule {
  readonly total: number;
}

/** `rate` arrivals each `timeUnitMs`, evenly spaced, the first at 0, none at or after `durationMs`. */
export function constantArrivals(rate: number, timeUnitMs: number, durationMs: number): CountedSchedule {
  const profile = constantRate(rate, timeUnitMs, durationMs);
  let total = Math.ceil(profile.arrivals);
  // The quotient may have a rounding error, so the schedule itself decides about the last arrival.
  if (profile.reachedMs(total - 1) >= durationMs) total--;
  else if (profile.reachedMs(total) < durationMs) total++;
  return { total, dueMs: (index) => (index < total ? profile.reachedMs(index) : Number.POSITIVE_INFINITY) };
}

/**
 * One arrival each time that the integral of the rate reaches a whole number: fractions carry over from stage
 * to stage.
 */
export function rampingArrivals(profile: RateProfile): CountedSchedule {
  let total = Math.floor(profile.arrivals);
  if (profile.reachedMs(total + 1) < Number.POSITIVE_INFINITY) total++;
  return { total, dueMs: (index) => profile.reachedMs(index + 1) };
}

/**
 * Arrivals of independent users (a Poisson process): exponential gaps of mean 1 in the integral of the rate,
 * which also follows a changing rate (time change of Çınlar, Introduction to Stochastic Processes, 1975).
 * `createSource` must return the same stream each time. Each arrival costs one random number if `dueMs` is
 * called in ascending order.
 */
export function poissonArrivals(profile: RateProfile, createSource: () => RandomSource): ArrivalSchedule {
  let random = createSource();
  let drawn = 0;
  let reached = 0;
  return {
    dueMs(index) {
      if (index + 1 < drawn) {
        random = createSource();
        drawn = 0;
        reached = 0;
      }
      for (; drawn <= index; drawn++) reached -= Math.log(1 - random());
      return profile.reachedMs(reached);
    },
  };
}
