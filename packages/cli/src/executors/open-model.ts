import type { ValidatedOpenModel } from "@bearhug/sdk/internal";

import type { ArrivalSchedule } from "../pacing/arrivals.ts";
import { pace } from "../pacing/pacer.ts";
import { stripeNumber } from "../pacing/stripe.ts";
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
  const stripe = { index: share.stripe.index, count: Math.min(share.stripe.count, scenario.maxVUs) };
  if (stripe.index >= stripe.count) return;
  const pool = new VuPool(share, scenario, stripe);
  const dueMs = (position: number): number => {
    const number = stripeNumber(position, stripe);
    if (number < share.iterationLimit) return share.startMs + schedule.dueMs(number);
    if (schedule.dueMs(number) < durationMs) share.reachedLimit();
    return Number.POSITIVE_INFINITY;
  };
  await pace({
    clock: share.clock,
    dueMs,
    endMs: share.startMs + durationMs,
    onStop: (callback) => {
      share.onStop(callback);
    },
    onSpin: (durationMs) => {
      share.spun(durationMs);
    },
    miss: (position, isLate) => {
      share.drop(1, dueMs(position), isLate ? "late" : "stopped");
    },
    start: (position, intendedMs, offeredMs) => {
      pool.start({ number: stripeNumber(position, stripe), intendedMs, offeredMs });
    },
  });
  await pool.settled();
}
