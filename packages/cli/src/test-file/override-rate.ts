import {
  defaultMaxVUs,
  type ValidatedConstantArrivalRate,
  type ValidatedScenario,
} from "@bearhug/sdk/internal";

import { keepBase } from "./kept-options.ts";
import type { ArrivalRate } from "./quantities.ts";
import type { RunOptions } from "./run-options.ts";

/** Makes any scenario an open one that starts iterations at the rate of the command line, with `--vus` as its most VUs; null, and a problem, if it is not known for how long. */
export function overrideRate(
  scenario: ValidatedScenario,
  rate: ArrivalRate,
  options: RunOptions,
  problems: string[],
): ValidatedConstantArrivalRate | null {
  const durationMs = lastsMs(scenario, rate, options);
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

/** A number of iterations at a rate is a time, too; of two times, the shorter one. */
function lastsMs(
  scenario: ValidatedScenario,
  { count, timeUnitMs }: ArrivalRate,
  { durationMs, iterations }: RunOptions,
): number | null {
  if (iterations !== null) {
    return Math.min((iterations * timeUnitMs) / count, durationMs ?? Number.POSITIVE_INFINITY);
  }
  return durationMs ?? ("durationMs" in scenario ? scenario.durationMs : null);
}

/** Applies `--arrivals` to a scenario that keeps its own rate. */
export function overrideArrivals(
  scenario: ValidatedScenario,
  { arrivals }: RunOptions,
  problems: string[],
): ValidatedScenario {
  if (arrivals === null) return scenario;
  if ("arrivals" in scenario) return { ...scenario, arrivals };
  problems.push(`--arrivals: scenario ${scenario.name} has no arrival rate; set one with --rate.`);
  return scenario;
}
