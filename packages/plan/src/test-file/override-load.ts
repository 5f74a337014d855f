import { closestName, type ValidatedScenario, type ValidatedTest } from "@bearhug/sdk/internal";

import { overrideRate, type ArrivalRate } from "../executors/constant-arrival-rate.ts";
import { modelOf } from "../executors/load-models.ts";
import { flagOf } from "../executors/override.ts";
import { goPast, overloadOf } from "./overload.ts";
import type { RunOptions } from "./run-options.ts";

/** The options that change the load of one scenario. */
const loadOptions = ["vus", "durationMs", "iterations", "rate", "arrivals"] as const;

/** The scenarios that are to run, with `--scenario` and the options that change the load applied. */
export function overrideLoad(
  test: ValidatedTest,
  options: RunOptions,
  problems: string[],
): readonly ValidatedScenario[] {
  const chosen = chooseScenarios(test, options, problems).map((scenario) => shortenStop(scenario, options));
  const given = loadOptions.filter((option) => options[option] !== null);
  if (given.length === 0) return chosen;
  const [only, ...others] = chosen;
  if (only === undefined) return chosen;
  if (others.length > 0) {
    const flags = given.map(flagOf).join(", ");
    problems.push(
      `${flags}: the test has ${chosen.length} scenarios. Select one, such as with --scenario ${only.name}.`,
    );
    return chosen;
  }
  if (options.rate !== null) return [openScenario(only, options.rate, test, options, problems)];
  const scenario = overrideArrivals(only, options, problems);
  return [modelOf(scenario).override(scenario, options, problems)];
}

function openScenario(
  scenario: ValidatedScenario,
  rate: ArrivalRate,
  test: ValidatedTest,
  options: RunOptions,
  problems: string[],
): ValidatedScenario {
  const overload = overloadOf(options);
  const durationMs = overload === null ? options.durationMs : overload.phaseMs * 3;
  const atRate = overrideRate(scenario, rate, { ...options, durationMs }, problems);
  if (atRate === null || overload === null) return atRate ?? scenario;
  return goPast(atRate, overload, options.warmupMs ?? test.warmupMs);
}

function shortenStop(scenario: ValidatedScenario, { longestStopMs }: RunOptions): ValidatedScenario {
  if (longestStopMs === null) return scenario;
  return { ...scenario, gracefulStopMs: Math.min(scenario.gracefulStopMs, longestStopMs) };
}

/** In the test's order. */
function chooseScenarios(
  { scenarios }: ValidatedTest,
  { scenarios: wanted }: RunOptions,
  problems: string[],
): readonly ValidatedScenario[] {
  if (wanted.length === 0) return scenarios;
  const names = scenarios.map(({ name }) => name);
  for (const name of wanted) {
    if (names.includes(name)) continue;
    const meant = closestName(name, names);
    const hint = meant === undefined ? `It has ${names.join(", ")}.` : `Did you mean ${meant}?`;
    problems.push(`--scenario ${name}: the test has no such scenario. ${hint}`);
  }
  return scenarios.filter(({ name }) => wanted.includes(name));
}

/** Applies `--arrivals` to a scenario that keeps its own rate. */
function overrideArrivals(
  scenario: ValidatedScenario,
  { arrivals }: RunOptions,
  problems: string[],
): ValidatedScenario {
  if (arrivals === null) return scenario;
  if ("arrivals" in scenario) return { ...scenario, arrivals };
  problems.push(`--arrivals: scenario ${scenario.name} has no arrival rate; set one with --rate.`);
  return scenario;
}
