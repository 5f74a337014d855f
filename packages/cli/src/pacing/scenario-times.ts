import type { ValidatedScenario } from "@bearhug/sdk/internal";

import type { ScenarioPacing } from "./scenario-pacing.ts";

/** The time during which a scenario starts iterations, in ms, without its `startTime`. */
export function activeMs(scenario: ScenarioPacing): number {
  switch (scenario.executor) {
    case "shared-iterations":
    case "per-vu-iterations":
      return scenario.maxDurationMs;
    case "constant-vus":
    case "constant-arrival-rate":
      return scenario.durationMs;
    case "ramping-vus":
    case "ramping-arrival-rate":
      return scenario.stages.reduce((sum, { durationMs }) => sum + durationMs, 0);
  }
}

/** Returns true if the scenario has a fixed duration, and not a fixed number of iterations. */
export function isTimed({ executor }: Pick<ScenarioPacing, "executor">): boolean {
  return executor !== "shared-iterations" && executor !== "per-vu-iterations";
}

/** From the start of the run, when the last of the scenario's iterations is interrupted. */
export function latestEndMs(scenario: ValidatedScenario): number {
  return scenario.startTimeMs + activeMs(scenario) + scenario.gracefulStopMs;
}

/** The most VUs that a scenario can have at once. */
export function mostVus(scenario: ValidatedScenario): number {
  switch (scenario.executor) {
    case "shared-iterations":
    case "per-vu-iterations":
    case "constant-vus":
      return scenario.vus;
    case "ramping-vus":
      return Math.max(scenario.startVUs, ...scenario.stages.map(({ target }) => target));
    case "constant-arrival-rate":
    case "ramping-arrival-rate":
      return Math.max(scenario.maxVUs, scenario.preAllocatedVUs);
  }
}
