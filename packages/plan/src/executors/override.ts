import type { ScenarioOf, ValidatedScenario, ValidatedScenarioBase } from "./validated-scenario.ts";

/** Options of the command line that change the load of a scenario; null if not given. */
export interface LoadOverride {
  readonly vus: number | null;
  readonly durationMs: number | null;
  readonly iterations: number | null;
}

/** Returns the flag that sets an option. */
export function flagOf(option: string): string {
  return `--${option.replace("Ms", "")}`;
}

/** Returns the options that a scenario keeps when another load model replaces its own. */
export function keepBase(scenario: ValidatedScenario): ValidatedScenarioBase {
  const { name, startTimeMs, gracefulStopMs, expectsNoRequests, expectsFailures, tags, env, http } = scenario;
  return {
    name,
    startTimeMs,
    gracefulStopMs,
    expectsNoRequests,
    ...(expectsFailures === true && { expectsFailures }),
    tags,
    env,
    http,
  };
}

/** Returns a problem for each given option that does not apply to the scenario. */
export function inapplicableOptions(
  name: string,
  options: LoadOverride,
  reasons: Readonly<Partial<Record<keyof LoadOverride, string>>>,
): string[] {
  return (["vus", "durationMs", "iterations"] as const).flatMap((option) => {
    const reason = reasons[option];
    if (reason === undefined || options[option] === null) return [];
    return [`${flagOf(option)}: scenario ${name} ${reason}`];
  });
}

/** The default `maxDuration` of load models with a number of iterations. */
export const defaultMaxDurationMs = 600_000;

/** Turns a scenario into one whose VUs share a number of iterations. */
export function withSharedIterations(
  scenario: ValidatedScenario,
  load: Pick<ScenarioOf<"shared-iterations">, "vus" | "iterations" | "maxDurationMs">,
): ScenarioOf<"shared-iterations"> {
  return { ...keepBase(scenario), executor: "shared-iterations", ...load };
}

/** Turns a scenario into one with a fixed number of VUs for a fixed time. */
export function withConstantVus(
  scenario: ValidatedScenario,
  load: Pick<ScenarioOf<"constant-vus">, "vus" | "durationMs">,
): ScenarioOf<"constant-vus"> {
  return { ...keepBase(scenario), executor: "constant-vus", ...load };
}
