import type { ValidatedScenario } from "@bearhug/sdk/internal";

/** How long a scenario starts iterations, in ms, its start time left out. */
export function activeMs(scenario: ValidatedScenario): number {
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

/** Whether it lasts a time that was given, and not as long as its iterations take. */
export function isTimed({ executor }: ValidatedScenario): boolean {
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
