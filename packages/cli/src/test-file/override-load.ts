import {
  closestName,
  type ValidatedIterations,
  type ValidatedScenario,
  type ValidatedTest,
} from "@bearhug/sdk/internal";

import { keepBase } from "./kept-options.ts";
import { goPast, overloadOf } from "./overload.ts";
import { overrideArrivals, overrideRate } from "./override-rate.ts";
import type { ArrivalRate } from "./quantities.ts";
import type { RunOptions } from "./run-options.ts";

const defaultMaxDurationMs = 600_000;

/** The options that change the load of one scenario. */
const loadOptions = ["vus", "durationMs", "iterations", "rate", "arrivals"] as const;

type LoadOption = (typeof loadOptions)[number];

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
  return [overrideScenario(overrideArrivals(only, options, problems), options, problems)];
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

function flagOf(option: LoadOption): string {
  return `--${option.replace("Ms", "")}`;
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

function overrideScenario(
  scenario: ValidatedScenario,
  options: RunOptions,
  problems: string[],
): ValidatedScenario {
  switch (scenario.executor) {
    case "constant-vus":
    case "shared-iterations":
      return overrideVus(scenario, options);
    case "per-vu-iterations":
      return {
        ...scenario,
        vus: options.vus ?? scenario.vus,
        iterations: options.iterations ?? scenario.iterations,
        maxDurationMs: options.durationMs ?? scenario.maxDurationMs,
      };
    case "ramping-vus":
      return overrideRamp(scenario, options, problems);
    case "constant-arrival-rate":
      problems.push(...misfits(scenario.name, options, { vus: notAtARate, iterations: sayHowLong }));
      return { ...scenario, durationMs: options.durationMs ?? scenario.durationMs };
    case "ramping-arrival-rate":
      problems.push(
        ...misfits(scenario.name, options, {
          vus: notAtARate,
          iterations: "starts iterations at a rate that its stages set.",
          durationMs: "lasts as long as its stages.",
        }),
      );
      return scenario;
  }
}

const notAtARate =
  "starts iterations at a rate and creates VUs as needed; with --rate, --vus is the most it may create.";
const sayHowLong = "starts iterations at a rate; set how long with --duration.";

/** A sentence for each option that was given and means nothing to the scenario. */
function misfits(
  name: string,
  options: RunOptions,
  why: Readonly<Partial<Record<LoadOption, string>>>,
): string[] {
  return loadOptions.flatMap((option) => {
    const reason = why[option];
    if (reason === undefined || options[option] === null) return [];
    return [`${flagOf(option)}: scenario ${name} ${reason}`];
  });
}

/** A number of iterations, or a time: whatever was said last decides which of the two models it is. */
function overrideVus(
  scenario: Extract<ValidatedScenario, { executor: "constant-vus" }> | ValidatedIterations,
  { vus, durationMs, iterations }: RunOptions,
): ValidatedScenario {
  const kept = { ...keepBase(scenario), vus: vus ?? scenario.vus };
  const isTimed = scenario.executor === "constant-vus";
  const counted = iterations ?? (!isTimed && durationMs === null ? scenario.iterations : null);
  if (counted !== null) {
    const maxDurationMs = durationMs ?? (isTimed ? defaultMaxDurationMs : scenario.maxDurationMs);
    return { ...kept, executor: "shared-iterations", iterations: counted, maxDurationMs };
  }
  const lastsMs = durationMs ?? (isTimed ? scenario.durationMs : defaultMaxDurationMs);
  return { ...kept, executor: "constant-vus", durationMs: lastsMs };
}

/** A ramp gives way to a plain load, if that is told whole. */
function overrideRamp(
  scenario: Extract<ValidatedScenario, { executor: "ramping-vus" }>,
  { vus, durationMs, iterations }: RunOptions,
  problems: string[],
): ValidatedScenario {
  const kept = keepBase(scenario);
  if (iterations !== null) {
    const maxDurationMs = durationMs ?? defaultMaxDurationMs;
    return { ...kept, executor: "shared-iterations", vus: vus ?? 1, iterations, maxDurationMs };
  }
  if (vus !== null && durationMs !== null) return { ...kept, executor: "constant-vus", vus, durationMs };
  const [given, missing] = vus === null ? ["--duration", "--vus"] : ["--vus", "--duration"];
  problems.push(
    `${given}: scenario ${scenario.name} ramps in stages; to run it with a constant load instead, add ${missing}.`,
  );
  return scenario;
}
