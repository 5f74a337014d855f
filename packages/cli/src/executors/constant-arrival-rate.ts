import type { ValidatedConstantArrivalRate } from "@bearhug/sdk";

import { constantArrivals } from "../pacing/arrivals.ts";
import { pace } from "../pacing/pacer.ts";
import { stripeNumber } from "../pacing/stripe.ts";
import type { Executor } from "./executor.ts";
import { VuPool } from "./vu-pool.ts";

/** Open model: iterations start on a fixed schedule, however slowly the target answers. */
export const constantArrivalRate: Executor<ValidatedConstantArrivalRate> = async (scenario, share) => {
  const { rate, timeUnitMs, durationMs, preAllocatedVUs, maxVUs } = scenario;
  const schedule = constantArrivals(rate, timeUnitMs, durationMs);
  // Arrivals of a worker without a VU would all be dropped: only workers that have one take part.
  const stripe = { index: share.stripe.index, count: Math.min(share.stripe.count, maxVUs) };
  if (stripe.index >= stripe.count) return;
  const pool = new VuPool(share, preAllocatedVUs, maxVUs);
  await pace({
    clock: share.clock,
    dueMs: (position) => share.startMs + schedule.dueMs(stripeNumber(position, stripe)),
    untilMs: share.startMs + durationMs,
    onStop: (callback) => {
      share.onOver(callback);
    },
    onSpin: (durationMs) => {
      share.spun(durationMs);
    },
    miss: () => {
      share.drop();
    },
    start: (position, intendedMs, wokeMs) => {
      const number = stripeNumber(position, stripe);
      if (!pool.start({ number, intendedMs, wokeMs })) share.drop();
    },
  });
  await pool.settled();
};
