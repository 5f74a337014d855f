import type { ValidatedOpenModel } from "@bearhug/sdk/internal";

import type { ArrivalSchedule } from "../pacing/arrivals.ts";
import { pace } from "../pacing/pacer.ts";
import { placeAmong, stripeAt, stripeNumber } from "../pacing/stripe.ts";
import type { ScenarioShare } from "./executor.ts";
import { VuPool } from "./vu-pool.ts";

/** Starts this worker's arrivals of a schedule when they are due; resolves when all that they started has ended. */
export async function driveArrivals(
  scenario: ValidatedOpenModel,
  share: ScenarioShare,
  schedule: ArrivalSchedule,
  durationMs: number,
): Promise<void> {
  // Arrivals of a worker without a VU would all be dropped: only workers that have one take part.
  const place = placeAmong(share.place, scenario.maxVUs);
  if (place === null) return;
  const stripe = stripeAt(place);
  const pool = new VuPool(share, scenario, stripe);
  let missed = 0;
  const dueMs = (position: number): number => {
    const number = stripeNumber(position, stripe);
    if (number < share.iterationLimit) return share.startMs + schedule.dueMs(number);
    if (schedule.dueMs(number) < durationMs) share.reachedLimit();
    return Number.POSITIVE_INFINITY;
  };
  for (let due = dueMs(0); due < share.beganMs; due = dueMs(missed)) {
    share.drop(1, due, "late_start");
    missed++;
  }
  await pace({
    clock: share.clock,
    dueMs: (position) => dueMs(position + missed),
    endMs: share.startMs + durationMs,
    onStop: (callback) => {
      share.onStop(callback);
    },
    onSpin: (durationMs) => {
      share.spun(durationMs);
    },
    miss: (position, isLate) => {
      share.drop(1, dueMs(position + missed), isLate ? "late" : "stopped");
    },
    start: (position, intendedMs, offeredMs) => {
      pool.start({ number: stripeNumber(position + missed, stripe), intendedMs, offeredMs });
    },
  });
  await pool.settled();
}
