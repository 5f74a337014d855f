import { z } from "@bearhug/sdk/internal";

import { timeMs, writtenOptions, pacingSchema } from "./scenario-options.ts";
import { stagesOf, recordedStages } from "./stages.ts";
import type { ScenarioOf } from "./validated-scenario.ts";
import { rampingArrivals } from "../pacing/arrivals.ts";
import { rampedLoad, stagesMs, type ValidatedStage } from "../pacing/load-over-time.ts";
import { rampingRate } from "../pacing/rate-profile.ts";
import type { LoadModel } from "./load-model.ts";
import { describeStages } from "./describe-load.ts";
import {
  describeArrivals,
  describeRate,
  driveArrivals,
  vusInapplicable,
  openModel,
  preAllocated,
  openShape,
  validOpenModel,
} from "./open-model.ts";
import { keepBase, inapplicableOptions } from "./override.ts";

/** Open model: iterations start at a rate that changes in stages, however slowly the target answers. */
export const rampingArrivalRate: LoadModel<ScenarioOf<"ramping-arrival-rate">> = {
  ...openModel,
  ...writtenOptions(
    "ramping-arrival-rate",
    () => ({ stages: stagesOf(z.number().min(0)), startRate: z.number().min(0).default(0), ...openShape() }),
    (options) => ({
      ...validOpenModel(options),
      stages: options.stages,
      startRate: options.startRate,
    }),
  ),
  isEven: false,
  describe: (scenario) => [
    `from ${describeRate(scenario.startRate, scenario)} ${describeStages(scenario.stages)}`,
    ...describeArrivals(scenario),
  ],
  loadOverTime({ startRate, stages, timeUnitMs }) {
    const perSecond = 1000 / timeUnitMs;
    return rampedLoad(startRate, stages).map(({ atMs, load }) => ({ atMs, load: load * perSecond }));
  },
  certainVus: (scenario) => preAllocated(scenario, stagesMs(scenario.stages)),
  plannedIterations({ arrivals, startRate, stages, timeUnitMs }) {
    const profile = rampingRate(startRate, stages, timeUnitMs);
    return arrivals === "poisson" && profile.arrivals > 0 ? null : rampingArrivals(profile).total;
  },
  override(scenario, options, problems) {
    problems.push(
      ...inapplicableOptions(scenario.name, options, {
        vus: vusInapplicable,
        iterations: "starts iterations at a rate that its stages set.",
        durationMs: "lasts as long as its stages.",
      }),
    );
    return scenario;
  },

  pacing: () =>
    pacingSchema("ramping-arrival-rate", {
      startRate: z.number(),
      stages: recordedStages(),
      timeUnitMs: timeMs(),
    }),
  activeMs: ({ stages }) => stagesMs(stages),
  arrivalsOf: ({ startRate, stages, timeUnitMs }) => rampingRate(startRate, stages, timeUnitMs),

  async run(scenario, share) {
    const profile = rampingRate(scenario.startRate, scenario.stages, scenario.timeUnitMs);
    await driveArrivals(scenario, share, profile, () => rampingArrivals(profile));
  },
};

/**
 * Turns a scenario with a constant rate into one that starts at this rate, without a `startTime`, and goes
 * through stages.
 */
export function withStages(
  scenario: ScenarioOf<"constant-arrival-rate">,
  stages: readonly ValidatedStage[],
): ScenarioOf<"ramping-arrival-rate"> {
  const { rate, timeUnitMs, preAllocatedVUs, maxVUs, arrivals, onBusy } = scenario;
  return {
    ...keepBase(scenario),
    startTimeMs: 0,
    executor: "ramping-arrival-rate",
    timeUnitMs,
    preAllocatedVUs,
    maxVUs,
    arrivals,
    onBusy,
    startRate: rate,
    stages,
  };
}
