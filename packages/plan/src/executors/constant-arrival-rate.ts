import { z } from "@bearhug/sdk/internal";
import { formatPlanned } from "@bearhug/text/duration";

import { timeMs, writtenOptions, pacingSchema } from "./scenario-options.ts";
import { durationSchema } from "../validation/duration.ts";
import type { ScenarioOf, ValidatedScenario } from "./validated-scenario.ts";
import { constantArrivals } from "../pacing/arrivals.ts";
import { steadyLoad } from "../pacing/load-over-time.ts";
import { constantRate } from "../pacing/rate-profile.ts";
import type { LoadModel } from "./load-model.ts";
import {
  describeArrivals,
  describeRate,
  driveArrivals,
  vusInapplicable,
  openModel,
  preAllocated,
  defaultMaxVUs,
  openShape,
  validOpenModel,
} from "./open-model.ts";
import { keepBase, inapplicableOptions, type LoadOverride } from "./override.ts";

/** Open model: iterations start on a fixed schedule, however slowly the target answers. */
export const constantArrivalRate: LoadModel<ScenarioOf<"constant-arrival-rate">> = {
  ...openModel,
  ...writtenOptions(
    "constant-arrival-rate",
    () => ({ rate: z.number().gt(0), duration: durationSchema(), ...openShape() }),
    (options) => ({
      ...validOpenModel(options),
      rate: options.rate,
      durationMs: options.duration,
    }),
  ),
  isEven: true,
  describe: (scenario) => [
    `${describeRate(scenario.rate, scenario)} for ${formatPlanned(scenario.durationMs)}`,
    ...describeArrivals(scenario),
  ],
  loadOverTime: ({ rate, timeUnitMs, durationMs }) => steadyLoad((rate * 1000) / timeUnitMs, durationMs),
  certainVus: (scenario) => preAllocated(scenario, scenario.durationMs),
  plannedIterations: ({ arrivals, rate, timeUnitMs, durationMs }) =>
    arrivals === "poisson" ? null : constantArrivals(rate, timeUnitMs, durationMs).total,
  override(scenario, options, problems) {
    const iterations = "starts iterations at a rate; set how long with --duration.";
    problems.push(...inapplicableOptions(scenario.name, options, { vus: vusInapplicable, iterations }));
    return { ...scenario, durationMs: options.durationMs ?? scenario.durationMs };
  },

  pacing: () =>
    pacingSchema("constant-arrival-rate", { rate: z.number(), timeUnitMs: timeMs(), durationMs: timeMs() }),
  activeMs: ({ durationMs }) => durationMs,
  arrivalsOf: ({ rate, timeUnitMs, durationMs }) => constantRate(rate, timeUnitMs, durationMs),

  async run(scenario, share) {
    const { rate, timeUnitMs, durationMs } = scenario;
    const profile = constantRate(rate, timeUnitMs, durationMs);
    await driveArrivals(scenario, share, profile, () => constantArrivals(rate, timeUnitMs, durationMs));
  },
};

/** `count` iterations in each `timeUnitMs`. */
export interface ArrivalRate {
  readonly count: number;
  readonly timeUnitMs: number;
}

interface RateOverride extends LoadOverride {
  readonly arrivals: "uniform" | "poisson" | null;
}

/**
 * Turns any scenario into an open model at the rate of the command line, with `--vus` as its `maxVUs`.
 * Returns null and adds a problem if the scenario has no known duration.
 */
export function overrideRate(
  scenario: ValidatedScenario,
  rate: ArrivalRate,
  options: RateOverride,
  problems: string[],
): ScenarioOf<"constant-arrival-rate"> | null {
  const durationMs = resolveDurationMs(scenario, rate, options);
  if (durationMs === null) {
    problems.push(`--rate: scenario ${scenario.name} has no duration of its own; add --duration.`);
    return null;
  }
  const own = "maxVUs" in scenario ? scenario : null;
  const maxVUs = options.vus ?? own?.maxVUs ?? defaultMaxVUs;
  return {
    ...keepBase(scenario),
    executor: "constant-arrival-rate",
    rate: rate.count,
    timeUnitMs: rate.timeUnitMs,
    durationMs,
    preAllocatedVUs: Math.min(own?.preAllocatedVUs ?? 0, maxVUs),
    maxVUs,
    arrivals: options.arrivals ?? own?.arrivals ?? "uniform",
    onBusy: own?.onBusy ?? "drop",
  };
}

/**
 * Returns the duration of the load; null if unknown. A number of iterations at a rate implies a duration; if
 * `--duration` is given as well, the shorter one applies.
 */
function resolveDurationMs(
  scenario: ValidatedScenario,
  { count, timeUnitMs }: ArrivalRate,
  { durationMs, iterations }: LoadOverride,
): number | null {
  if (iterations !== null) {
    return Math.min((iterations * timeUnitMs) / count, durationMs ?? Number.POSITIVE_INFINITY);
  }
  return durationMs ?? ("durationMs" in scenario ? scenario.durationMs : null);
}
