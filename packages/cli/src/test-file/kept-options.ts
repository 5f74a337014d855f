import type { ValidatedScenario, ValidatedScenarioBase } from "@bearhug/sdk/internal";

/** The options that a scenario keeps when another load model takes the place of its own. */
export function keepBase(scenario: ValidatedScenario): ValidatedScenarioBase {
  const { name, startTimeMs, gracefulStopMs, expectsNoRequests, tags, env, http } = scenario;
  return { name, startTimeMs, gracefulStopMs, expectsNoRequests, tags, env, http };
}
