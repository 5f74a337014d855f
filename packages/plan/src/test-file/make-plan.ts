import { sum } from "@bearhug/metrics/sum";
import { detailTags } from "@bearhug/metrics/tags";
import type { ValidatedThreshold } from "@bearhug/metrics/thresholds/read-threshold";
import { didYouMean } from "@bearhug/text/closest-name";
import { listSome } from "@bearhug/text/list-some";
import { formatPlanned } from "@bearhug/text/duration";

import { InvalidTest, type TestProblem } from "../definition/invalid-test.ts";
import type { ValidatedScenario } from "../executors/validated-scenario.ts";
import type { ValidatedTest } from "../definition/validated-test.ts";
import {
  describeLoad,
  modelOf,
  peakVus,
  peakVusOfAll,
  startsNothing,
  startsUntilMs,
} from "../executors/load-models.ts";
import { type Stripe, stripeSize, wholeStripe } from "../pacing/stripe.ts";
import type { FeedShare, PlannedScenario, RunPlan } from "../protocol/plan.ts";
import { limitProblems } from "./limits.ts";
import { optionProblem, pathOfScenario } from "./plan-problem.ts";
import { withOverload, overloadOf } from "./overload.ts";
import { planVariants } from "./read-variants.ts";
import { type GivenVariables, readEnv } from "./read-env.ts";
import { readHttp } from "./read-http.ts";
import { type ClientKind, type ClientMetric, clientMetrics } from "../clients/client-kind.ts";
import { plannedOptions, type RunOptions } from "./run-options.ts";
import type { Sharding } from "./sharding.ts";
import { doubtfulFilters, thresholdOptionProblems, unmonitoredThresholds } from "./thresholds.ts";
import { numberIterations, planFeeds } from "./work-numbering.ts";
import { maxVusLimit } from "./quantities.ts";
import { type ArrivalRate, overrideRate } from "../executors/constant-arrival-rate.ts";
import { flagOf } from "../executors/override.ts";

/** A planned run: the plan that workers receive, and the thresholds that judge the run. */
export interface PlannedRun {
  readonly plan: RunPlan;
  readonly thresholds: readonly ValidatedThreshold[];
  /** Sentences for the person who starts the run. */
  readonly notes: readonly string[];
}

/** The inputs of a plan besides the test and the options. */
export interface PlanInputs {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly cores: number;
  /** The name for a test that does not declare one. */
  readonly fallbackName: string;
  /** The kinds of clients that virtual users have. */
  readonly clients: readonly ClientKind[];
  /** True if another machine judges the samples of all machines during the run. @default false */
  readonly isLed?: boolean;
  /** True if the options must have the monitors of all thresholds. @default false */
  readonly needsMonitors?: boolean;
  /** Collects variables that are not set, for a plan that is only displayed; if absent, they are problems. */
  readonly missingVariables?: TestProblem[];
}

/** The most iterations of a scenario: the limit of the shared counter, which no realistic run reaches. */
const maxIterations = 2 ** 31 - 100_000;

/**
 * Makes the plan of a run from a valid test and the options.
 * @throws {InvalidTest} with every problem
 */
export function makePlan(test: ValidatedTest, options: RunOptions, surroundings: PlanInputs): PlannedRun {
  const overrides: string[] = [];
  const loads = overrideLoad(test, options, overrides);
  const problems = overrides.map(optionProblem);
  const { http, scenarios: asGiven, secrets } = readHttp(test.http, loads, options.http, problems);
  const scenarios = options.expectsFailures
    ? asGiven.map((scenario) => ({ ...scenario, expectsFailures: true }))
    : asGiven;
  // If options change the load, problems with the load are problems of the options.
  const isLoadOfTest = givenLoadOptions(options).length === 0;
  const loadProblem = (path: string, message: string): TestProblem =>
    isLoadOfTest ? { path, message } : optionProblem(message);
  for (const scenario of scenarios)
    problems.push(...tooMany(scenario).map((message) => loadProblem(pathOfScenario(scenario.name), message)));
  const warmupMs = options.warmupMs ?? test.warmupMs;
  problems.push(...warmupProblems(warmupMs, scenarios, options));
  const env = readEnv(test.env, givenVariables(options, surroundings));
  const { missingVariables = problems } = surroundings;
  for (const problem of env.problems)
    (problem.code === "MISSING_VARIABLE" ? missingVariables : problems).push(problem);
  const unjudged = thresholdsWithoutScenario(test, scenarios);
  const judged = test.thresholds.filter((threshold) => !unjudged.includes(threshold));
  const known = { ...clientMetrics(surroundings.clients), ...test.metrics };
  const ofOptions = options.thresholds.flatMap((threshold) => thresholdOptionProblems(threshold, known));
  problems.push(...ofOptions.map(optionProblem));
  const thresholds = [...judged, ...options.thresholds];
  if (surroundings.needsMonitors === true)
    problems.push(...unmonitoredThresholds(thresholds, test.metrics, options));
  const feeds = planFeeds(test.feeds, scenarios, (feed, message) => {
    problems.push(loadProblem(`feeds[${JSON.stringify(feed.name)}]`, message));
  });
  problems.push(...setupProblems(test, options.sharding).map(optionProblem));
  const contacted = locate(test, options);
  const { allowUnmeasured } = test;
  const limited = limitProblems(options.limits, { ...contacted, allowUnmeasured, http, scenarios });
  problems.push(...limited.map(optionProblem));
  if (problems.length > 0) throw new InvalidTest(problems);
  const variants = planVariants(options, scenarios, warmupMs);
  const overload = overloadOf(options);
  const { shard } = options.sharding;
  return {
    plan: {
      testName: test.name ?? surroundings.fallbackName,
      clients: surroundings.clients,
      ...plannedOptions(options),
      ...contacted,
      allowUnmeasured,
      http,
      env: env.values,
      secrets: [...env.secrets, ...scenarioSecrets(test), ...secrets],
      metrics: test.metrics,
      scenarios: planScenarios(scenarios, feeds, options.maxGracefulStopMs ?? undefined),
      tags: { ...test.tags, ...options.tags },
      workers: countWorkers(scenarios, options, surroundings),
      ...(shard && { shard }),
      warmupMs,
      ...(test.hasVuState ? { hasVuState: true } : {}),
      ...(variants && { variants }),
      ...(overload && { overload }),
      ...keptDetailsOf(thresholds, clientMetrics(surroundings.clients)),
    },
    thresholds,
    notes: [
      ...scenarios.flatMap(describeEmpty),
      ...describeUnset(env.unset),
      ...describeWeak(env.weak),
      ...describeUnjudged(unjudged),
      ...thresholds.flatMap((threshold) => doubtfulFilters(threshold, ownTagsOf(test, scenarios, options))),
      ...(surroundings.isLed === true ? [] : describeAborting(thresholds, shard)),
    ],
  };
}

/**
 * Returns the scenarios as workers receive them. Their VUs have ids over the whole test. A `gracefulStop` of
 * `usualStopMs` is not described.
 */
export function planScenarios(
  scenarios: readonly ValidatedScenario[],
  feeds: ReadonlyMap<string, readonly FeedShare[]> = new Map(),
  usualStopMs?: number,
): PlannedScenario[] {
  const iterationIndexes = numberIterations(scenarios);
  return scenarios.map((scenario, index) => ({
    scenario,
    description: describeLoad(scenario, usualStopMs),
    iterationIndexes: iterationIndexes[index] ?? { offset: 0, stride: 1 },
    vuIdOffset: peakVusOfAll(scenarios.slice(0, index)),
    feeds: feeds.get(scenario.name) ?? [],
  }));
}

/** Returns the detail metrics that thresholds filter by other tags; absent for none. */
function keptDetailsOf(
  thresholds: readonly ValidatedThreshold[],
  metrics: Readonly<Record<string, ClientMetric>>,
): Pick<RunPlan, "keptDetails"> {
  const selected = thresholds.flatMap(({ selector: { metric, filters } }) =>
    metrics[metric]?.isDetail === true && !filters.every(({ tag }) => detailTags.includes(tag))
      ? [metric]
      : [],
  );
  return selected.length === 0 ? {} : { keptDetails: [...new Set(selected)] };
}

/**
 * Returns the number of workers: no more than this machine has virtual users or connections, so that each
 * has something to do.
 */
function countWorkers(
  scenarios: readonly ValidatedScenario[],
  { workers, sharedConnections, sharding: { shard } }: RunOptions,
  { cores }: PlanInputs,
): number {
  const vusHere = scenarios.map((scenario) => stripeSize(peakVus(scenario), shard ?? wholeStripe));
  const maxAtOnce = sum(vusHere);
  return Math.max(1, Math.min(workers ?? cores - 1, maxAtOnce, sharedConnections ?? maxAtOnce));
}

/** Returns the variables that a test may read. */
export function givenVariables(
  { env, envFile }: RunOptions,
  { environment }: Pick<PlanInputs, "environment">,
): GivenVariables {
  return { commandLine: env, file: envFile, environment };
}

/** Returns the values of secret variables that scenarios set. */
function scenarioSecrets({ env: declared, scenarios }: ValidatedTest): string[] {
  return scenarios.flatMap(({ env }) =>
    Object.entries(env).flatMap(([name, value]) => (declared[name]?.secret === true ? [String(value)] : [])),
  );
}

/** Further names are only counted: a long list would be useless. */
const maxListedNames = 5;

function describeEmpty(scenario: ValidatedScenario): string[] {
  if (scenario.expectsNoRequests || !startsNothing(scenario)) return [];
  return [
    `scenario ${scenario.name} starts no iteration, so the run fails: its load has no virtual users, or too low a rate for its duration (if that is intended, set expectNoRequests: true).`,
  ];
}

function describeUnset(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  return [
    `optional variables that are not set: ${listSome(names, maxListedNames)}. The test runs without them.`,
  ];
}

/**
 * Describes secrets that are masked in some places only: otherwise a word such as "honey" would be masked in
 * every text about honey.
 */
function describeWeak(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const value =
    names.length === 1
      ? "its value is a common word or short, so it is"
      : "their values are common words or short, so they are";
  return [
    `${listSome(names, maxListedNames)}: ${value} masked only in fields for secrets (headers, cookies, passwords in bodies and addresses), not in other text.`,
  ];
}

/** Returns the thresholds on scenarios that `--scenario` leaves out: they would have no samples. */
function thresholdsWithoutScenario(
  test: ValidatedTest,
  chosen: readonly ValidatedScenario[],
): readonly ValidatedThreshold[] {
  const idle = new Set(test.scenarios.map(({ name }) => name));
  for (const { name } of chosen) idle.delete(name);
  return test.thresholds.filter(({ selector: { filters } }) =>
    filters.some(
      ({ tag, operator, value }) => tag === "scenario" && operator === "equals" && idle.has(value),
    ),
  );
}

function describeUnjudged(thresholds: readonly ValidatedThreshold[]): string[] {
  if (thresholds.length === 0) return [];
  const keys = [...new Set(thresholds.map(({ metric }) => metric))];
  return [`thresholds on scenarios that do not run are not judged: ${listSome(keys, maxListedNames)}.`];
}

function ownTagsOf(
  test: ValidatedTest,
  scenarios: readonly ValidatedScenario[],
  options: RunOptions,
): ReadonlySet<string> {
  const all = [test.tags, options.tags, ...scenarios.map(({ tags }) => tags)];
  return new Set(all.flatMap((tags) => Object.keys(tags)));
}

function describeAborting(thresholds: readonly ValidatedThreshold[], shard: Stripe | null): string[] {
  const aborting = thresholds.filter(({ abortOnFail }) => abortOnFail);
  if (shard === null || aborting.length === 0) return [];
  const keys = [...new Set(aborting.map(({ metric }) => metric))];
  return [
    `abortOnFail has no effect in a shard, which has only a part of the samples: ${listSome(keys, maxListedNames)}.`,
  ];
}

/** Requires a choice of where setup runs: without one, it would silently run once for each shard. */
function setupProblems({ hasSetup, hasTeardown }: ValidatedTest, { shard, setup }: Sharding): string[] {
  if (shard === null || setup !== null || !(hasSetup || hasTeardown)) return [];
  const has = hasSetup ? (hasTeardown ? "setup and teardown" : "a setup") : "a teardown";
  return [
    `--shard: the test has ${has}. Add --shard-setup FILE to run it on shard 1, which hands its data on in that file, or --shard-setup each to run it on every shard.`,
  ];
}

/** Returns the site to load: the test's own, or `--target` in place of all its hosts. */
function locate(
  { baseUrl, allowHosts, siteHosts }: ValidatedTest,
  { target, variants }: Pick<RunOptions, "target" | "variants">,
): Pick<RunPlan, "baseUrl" | "allowHosts" | "movedHosts"> {
  const targets = variants.flatMap((variant) => (variant.target === undefined ? [] : [variant.target]));
  if (target === null) return { baseUrl, allowHosts: [...allowHosts, ...siteHosts], movedHosts: null };
  const base = baseUrl === null ? [] : hostsOf(new URL(baseUrl));
  return {
    baseUrl: rebase(baseUrl, target),
    allowHosts: [...allowHosts, ...targets.map((origin) => new URL(origin).host)],
    movedHosts: { base, further: siteHosts },
  };
}

/**
 * Returns a host with its port. Without a port in the URL, it returns the default ports of both schemes,
 * because they serve the same site.
 */
function hostsOf({ hostname, port }: URL): string[] {
  return (port === "" ? ["80", "443"] : [port]).map((one) => `${hostname}:${one}`);
}

/** Returns the base address on another origin; its path stays. */
function rebase(baseUrl: string | null, target: URL): string {
  if (baseUrl === null) return target.origin;
  const { pathname } = new URL(baseUrl);
  return pathname === "/" ? target.origin : target.origin + pathname;
}

/**
 * Returns a sentence for each number that is too large: counters have 32 bits, and VUs
 * must fit onto a machine.
 */
function tooMany(scenario: ValidatedScenario): string[] {
  const { name } = scenario;
  const model = modelOf(scenario);
  const problems: string[] = [];
  if (model.peakVus(scenario) > maxVusLimit)
    problems.push(`Scenario ${name}: at most ${maxVusLimit} virtual users are allowed.`);
  if ((model.countedIterations(scenario, wholeStripe) ?? 0) > maxIterations)
    problems.push(`Scenario ${name}: at most ${maxIterations} iterations are allowed in total.`);
  if ((model.arrivalsOf(scenario)?.arrivals ?? 0) > maxIterations)
    problems.push(
      `Scenario ${name}: its rate would start more than ${maxIterations} iterations: lower the rate or the duration.`,
    );
  return problems;
}

/** The warm-up is part of the load, so it must leave something to measure. */
function warmupProblems(
  warmupMs: number,
  scenarios: readonly ValidatedScenario[],
  options: RunOptions,
): TestProblem[] {
  const loadMs = startsUntilMs(scenarios);
  if (warmupMs === 0 || warmupMs < loadMs || scenarios.length === 0) return [];
  const message = `warmup ${formatPlanned(warmupMs)}: the load lasts ${formatPlanned(loadMs)}, including the warm-up, so nothing would be measured.`;
  return [options.warmupMs === null ? { path: "warmup", message } : optionProblem(message)];
}

/** The options that change the load of one scenario. */
const loadOptions = ["vus", "durationMs", "iterations", "rate", "arrivals"] as const;

function givenLoadOptions(options: RunOptions): (typeof loadOptions)[number][] {
  return loadOptions.filter((option) => options[option] !== null);
}

/** Returns the scenarios to run, with `--scenario` and the options that change the load applied. */
function overrideLoad(
  test: ValidatedTest,
  options: RunOptions,
  problems: string[],
): readonly ValidatedScenario[] {
  const chosen = chooseScenarios(test, options, problems).map((scenario) => shortenStop(scenario, options));
  const given = givenLoadOptions(options);
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
  return withOverload(atRate, overload, options.warmupMs ?? test.warmupMs);
}

function shortenStop(scenario: ValidatedScenario, { maxGracefulStopMs }: RunOptions): ValidatedScenario {
  if (maxGracefulStopMs === null) return scenario;
  return { ...scenario, gracefulStopMs: Math.min(scenario.gracefulStopMs, maxGracefulStopMs) };
}

/** Returns the selected scenarios in the test's order. */
function chooseScenarios(
  { scenarios }: ValidatedTest,
  { scenarios: wanted }: RunOptions,
  problems: string[],
): readonly ValidatedScenario[] {
  if (wanted.length === 0) return scenarios;
  const names = scenarios.map(({ name }) => name);
  for (const name of wanted) {
    if (names.includes(name)) continue;
    const hint = didYouMean(name, names, `It has ${names.join(", ")}.`);
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
