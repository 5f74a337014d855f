import type { ValidatedConstantArrivalRate } from "@bearhug/sdk/internal";

import { constantArrivals, poissonArrivals } from "../pacing/arrivals.ts";
import { constantRate } from "../pacing/rate-profile.ts";
import type { Executor } from "./executor.ts";
import { driveArrivals } from "./open-model.ts";

/** Open model: iterations start on a fixed schedule, however slowly the target answers. */
export const constantArrivalRate: Executor<ValidatedConstantArrivalRate> = async (scenario, share) => {
  const { rate, timeUnitMs, durationMs } = scenario;
  const schedule =
    scenario.arrivals === "poisson"
      ? poissonArrivals(constantRate(rate, timeUnitMs, durationMs), () => share.arrivalSource())
      : constantArrivals(rate, timeUnitMs, durationMs);
  await driveArrivals(scenario, share, schedule, durationMs);
};
