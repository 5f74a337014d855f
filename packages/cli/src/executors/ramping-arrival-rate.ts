import type { ValidatedRampingArrivalRate } from "@bearhug/sdk/internal";

import { poissonArrivals, rampingArrivals } from "../pacing/arrivals.ts";
import { rampingRate } from "../pacing/rate-profile.ts";
import type { Executor } from "./executor.ts";
import { driveArrivals } from "./open-model.ts";

/** Open model: iterations start at a rate that changes in stages, however slowly the target answers. */
export const rampingArrivalRate: Executor<ValidatedRampingArrivalRate> = async (scenario, share) => {
  const profile = rampingRate(scenario.startRate, scenario.stages, scenario.timeUnitMs);
  const schedule =
    scenario.arrivals === "poisson"
      ? poissonArrivals(profile, () => share.arrivalSource())
      : rampingArrivals(profile);
  await driveArrivals(scenario, share, schedule, profile.durationMs);
};
