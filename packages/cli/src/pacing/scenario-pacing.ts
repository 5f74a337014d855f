import type { ValidatedScenario } from "@bearhug/sdk/internal";

type PacingField =
  | ("executor" | "startTimeMs" | "durationMs" | "maxDurationMs" | "stages")
  | ("vus" | "iterations" | "rate" | "startRate" | "timeUnitMs");

type PacingOf<Scenario> = Scenario extends ValidatedScenario
  ? Pick<Scenario, Extract<keyof Scenario, PacingField>>
  : never;

/** When a scenario starts iterations, and how many: all that its progress needs. */
export type ScenarioPacing = PacingOf<ValidatedScenario>;

/** The same as plain data of its own. */
export function pacingOf(scenario: ValidatedScenario): ScenarioPacing {
  const { startTimeMs } = scenario;
  switch (scenario.executor) {
    case "shared-iterations":
    case "per-vu-iterations": {
      const { executor, vus, iterations, maxDurationMs } = scenario;
      return { executor, startTimeMs, vus, iterations, maxDurationMs };
    }
    case "constant-vus": {
      const { executor, vus, durationMs } = scenario;
      return { executor, startTimeMs, vus, durationMs };
    }
    case "ramping-vus": {
      const { executor, stages } = scenario;
      return { executor, startTimeMs, stages };
    }
    case "constant-arrival-rate": {
      const { executor, rate, timeUnitMs, durationMs } = scenario;
      return { executor, startTimeMs, rate, timeUnitMs, durationMs };
    }
    case "ramping-arrival-rate": {
      const { executor, startRate, stages, timeUnitMs } = scenario;
      return { executor, startTimeMs, startRate, stages, timeUnitMs };
    }
  }
}
