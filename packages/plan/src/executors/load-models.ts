import { sumBy } from "@bearhug/metrics/sum";
import type { ExecutorName } from "@bearhug/sdk";
import { executors, z, once, executorNames } from "@bearhug/sdk/internal";
import { formatPlanned } from "@bearhug/text/duration";

import { chosenSchema } from "../validation/option-schemas.ts";
import type { ScenarioOf, ValidatedScenario, ValidatedScenarioOptions } from "./validated-scenario.ts";
import type { LoadPoint } from "../pacing/load-over-time.ts";
import { constantArrivalRate } from "./constant-arrival-rate.ts";
import { constantVus } from "./constant-vus.ts";
import type { LoadModel, ScenarioPacing } from "./load-model.ts";
import { describeGrace, defaultGracefulMs } from "./describe-load.ts";
import { perVuIterations } from "./per-vu-iterations.ts";
import { rampingArrivalRate } from "./ramping-arrival-rate.ts";
import { rampingVus } from "./ramping-vus.ts";
import { sharedIterations } from "./shared-iterations.ts";

const loadModels = {
  "shared-iterations": sharedIterations,
  "per-vu-iterations": perVuIterations,
  "constant-vus": constantVus,
  "ramping-vus": rampingVus,
  "constant-arrival-rate": constantArrivalRate,
  "ramping-arrival-rate": rampingArrivalRate,
} satisfies { [Name in ExecutorName]: LoadModel<ScenarioOf<Name>> };

export function modelOf({ executor }: { readonly executor: ExecutorName }): LoadModel<ValidatedScenario> {
  return loadModels[executor];
}

/** Returns the schema of a scenario's pacing in recordings. */
export function recordedPacings(): z.ZodType<ScenarioPacing> {
  return z.union(Object.values(loadModels).map(({ pacing }) => pacing()));
}

/** Returns the time during which a scenario starts iterations, in ms, without its `startTime`. */
export function activeMs(scenario: ScenarioPacing): number {
  return modelOf(scenario).activeMs(scenario);
}

/** Returns true if the scenario has a fixed duration, and not a fixed number of iterations. */
export function isTimed({ executor }: Pick<ScenarioPacing, "executor">): boolean {
  return executors[executor].isTimed;
}

/** Returns when the last of the scenario's iterations is interrupted, in ms from the start of the run. */
export function latestEndMs(scenario: ValidatedScenario): number {
  return scenario.startTimeMs + activeMs(scenario) + scenario.gracefulStopMs;
}

/** Returns the most VUs that a scenario can have at once. */
export function peakVus(scenario: ValidatedScenario): number {
  return modelOf(scenario).peakVus(scenario);
}

/** Returns the most VUs that scenarios can have at once, all together. */
export function peakVusOfAll(scenarios: readonly ValidatedScenario[]): number {
  return sumBy(scenarios, peakVus);
}

/** Returns when the last iteration of all scenarios is interrupted, in ms from the start of the run. */
export function lastEndMs(scenarios: readonly ValidatedScenario[]): number {
  return Math.max(0, ...scenarios.map(latestEndMs));
}

/** Returns true if the scenario's load never starts an iteration, such as a ramp from 0 to 0. */
export function startsNothing(scenario: ValidatedScenario): boolean {
  return peakVus(scenario) === 0 || modelOf(scenario).plannedIterations(scenario) === 0;
}

/** Returns when the last iteration of all scenarios may start, in ms from the start of the run. */
export function startsUntilMs(scenarios: readonly ScenarioPacing[]): number {
  return Math.max(...scenarios.map((scenario) => scenario.startTimeMs + activeMs(scenario)));
}

/** Returns the planned load of a scenario from its start to its end. Times are from the start of the run. */
export function loadOverTime(scenario: ValidatedScenario): LoadPoint[] {
  const { startTimeMs } = scenario;
  const points = modelOf(scenario).loadOverTime(scenario);
  return points.map(({ atMs, load }) => ({ atMs: startTimeMs + atMs, load }));
}

/**
 * Describes a scenario's load in words, with every option that changes it. A `gracefulStop` of `usualStopMs`
 * is not mentioned.
 */
export function describeLoad(scenario: ValidatedScenario, usualStopMs: number = defaultGracefulMs): string {
  const { startTimeMs, gracefulStopMs } = scenario;
  return [
    ...modelOf(scenario).describe(scenario),
    ...(startTimeMs > 0 ? [`starting after ${formatPlanned(startTimeMs)}`] : []),
    ...(gracefulStopMs === usualStopMs ? [] : describeGrace("gracefulStop", gracefulStopMs)),
  ].join(", ");
}

/** Reads a scenario's options by the schema of its executor. */
export const scenarioSchema: () => z.ZodType<ValidatedScenarioOptions> = once(() => {
  const named = z.object({ executor: z.enum(executorNames) });
  return chosenSchema<ValidatedScenarioOptions>((value) => {
    const { data } = named.safeParse(value);
    return data === undefined ? named.transform(() => z.NEVER) : modelOf(data).schema();
  });
});
