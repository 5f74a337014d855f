import { sumBy } from "@bearhug/metrics/sum";

import type { ValidatedStage } from "./load-over-time.ts";

/** The rate of an open model over time, as its integral: the arrivals due by a moment. */
export interface RateProfile {
  readonly durationMs: number;
  /** The integral over the whole duration, fractions included. */
  readonly arrivals: number;
  /** The time at which the integral reaches `arrivals`, in ms after the start; Infinity if it never does. */
  reachedMs(arrivals: number): number;
  /** The integral up to a time after the start, in ms. */
  arrivalsBy(atMs: number): number;
}

/** `rate` arrivals each `timeUnitMs`, throughout. */
export function constantRate(rate: number, timeUnitMs: number, durationMs: number): RateProfile {
  return {
    durationMs,
    arrivals: (durationMs * rate) / timeUnitMs,
    // Multiplies before it divides: arrivals · (timeUnit / rate) would drift by the rounding error of the
    // quotient.
    reachedMs(arrivals) {
      const atMs = (arrivals * timeUnitMs) / rate;
      return atMs <= durationMs ? atMs : Number.POSITIVE_INFINITY;
    },
    arrivalsBy: (atMs) => (clamp(atMs, durationMs) * rate) / timeUnitMs,
  };
}

/** Arrivals per `timeUnitMs` that change linearly from `startRate` to the first stage's target, and so on. */
export function rampingRate(
  startRate: number,
  stages: readonly ValidatedStage[],
  timeUnitMs: number,
): RateProfile {
  const ramps: Ramp[] = [];
  let startMs = 0;
  let before = 0;
  let rate = startRate / timeUnitMs;
  for (const { durationMs, target } of stages) {
    const endRate = target / timeUnitMs;
    const after = before + ((rate + endRate) / 2) * durationMs;
    if (after > before) ramps.push({ startMs, durationMs, before, after, rate, endRate });
    startMs += durationMs;
    before = after;
    rate = endRate;
  }
  const [arrivals, durationMs] = [before, startMs];
  return {
    durationMs,
    arrivals,
    reachedMs(wanted) {
      const ramp = ramps.find(({ after }) => wanted <= after + tolerance(after));
      return ramp === undefined
        ? Number.POSITIVE_INFINITY
        : Math.min(durationMs, reachedWithin(ramp, wanted));
    },
    arrivalsBy: (atMs) => sumBy(ramps, (ramp) => arrivalsWithin(ramp, atMs)),
  };
}

/** A stage with arrivals; rates are per ms. */
interface Ramp {
  readonly startMs: number;
  readonly durationMs: number;
  /** The integral at the start and at the end of the stage. */
  readonly before: number;
  readonly after: number;
  readonly rate: number;
  readonly endRate: number;
}

/** Returns the number of a ramp's arrivals that are due by a time. */
function arrivalsWithin({ startMs, durationMs, rate, endRate }: Ramp, atMs: number): number {
  const withinMs = clamp(atMs - startMs, durationMs);
  return rate * withinMs + ((endRate - rate) * withinMs * withinMs) / (2 * durationMs);
}

function clamp(ms: number, maxMs: number): number {
  return Math.min(maxMs, Math.max(0, ms));
}

/**
 * Allows for the rounding error of a sum over stages, which could otherwise lose the last arrival of 5 s at
 * 1/s.
 */
function tolerance(arrivals: number): number {
  return Math.max(1, arrivals) * 1e-12;
}

/**
 * Solves rate · t + slope · t² / 2 = wanted − before for t, in the form that avoids cancellation:
 * t = 2c / (rate + √(rate² + 2 · slope · c)).
 */
function reachedWithin({ startMs, durationMs, before, rate, endRate }: Ramp, wanted: number): number {
  const missing = Math.max(0, wanted - before);
  if (missing === 0) return startMs;
  const slope = (endRate - rate) / durationMs;
  const root = Math.sqrt(Math.max(0, rate * rate + 2 * slope * missing));
  return startMs + Math.min(durationMs, (2 * missing) / (rate + root));
}
