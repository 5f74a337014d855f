import {
  builtInMetrics,
  checkAggregation,
  type ValidatedScenario,
  type ValidatedTest,
  type ValidatedThreshold,
} from "@bearhug/sdk";

import { InvalidInput } from "../invalid-input.ts";
import { mostVus } from "../pacing/scenario-times.ts";
import type { RunPlan } from "../protocol/plan.ts";
import { runnableExecutors } from "../protocol/runnable-executors.ts";
import { overrideLoad } from "./override-load.ts";
import { readEnv } from "./read-env.ts";
import type { RunOptions } from "./run-options.ts";
import { numberWork } from "./work-numbering.ts";

/** A run, decided: what workers are told, and what the coordinator judges it by. */
export interface PlannedRun {
  readonly plan: RunPlan;
  readonly thresholds: readonly ValidatedThreshold[];
}

/** What a plan depends on besides the test and the options. */
export interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly cores: number;
  /** What the test is called when it has no name. */
  readonly fallbackName: string;
}

/** The most iterations that are numbered: the shared counter holds no more, and nobody waits for them. */
const mostIterations = 2 ** 31 - 100_000;

/**
 * Decides a run from a valid test and the options.
 * @throws {InvalidInput} with every problem
 */
export function makePlan(test: ValidatedTest, options: RunOptions, surroundings: Surroundings): PlannedRun {
  const problems: string[] = [];
  const scenarios = overrideLoad(test, options, problems);
  for (const scenario of scenarios) problems.push(...unsupported(scenario));
  const env = readEnv(test, options, surroundings.environment, problems);
  const thresholds = [...test.thresholds, ...options.thresholds];
  for (const threshold of thresholds) problems.push(...thresholdProblems(threshold, test));
  if (problems.length > 0) throw new InvalidInput(problems);
  const mostAtOnce = scenarios.reduce((sum, scenario) => sum + mostVus(scenario), 0);
  return {
    plan: {
      testName: test.name ?? surroundings.fallbackName,
      seed: options.seed,
      baseUrl: rebase(test.baseUrl, options.target),
      allowHosts: test.allowHosts,
      env: env.values,
      secrets: env.secrets,
      metrics: test.metrics,
      scenarios: numberWork(scenarios),
      tags: options.tags,
      workers: Math.max(1, Math.min(options.workers ?? surroundings.cores - 1, mostAtOnce)),
    },
    thresholds,
  };
}

/** The base address on another origin; its path stays. */
function rebase(baseUrl: string | null, target: URL | null): string | null {
  if (target === null || baseUrl === null) return target?.origin ?? baseUrl;
  const { pathname } = new URL(baseUrl);
  return pathname === "/" ? target.origin : target.origin + pathname;
}

function unsupported(scenario: ValidatedScenario): string[] {
  const { name, executor } = scenario;
  if (!runnableExecutors.has(executor)) {
    return [
      `Scenario ${name}: executor "${executor}" cannot be run yet. This version runs ${[...runnableExecutors].join(", ")}.`,
    ];
  }
  if (executor === "shared-iterations" && scenario.iterations > mostIterations) {
    return [`Scenario ${name}: at most ${mostIterations} iterations can be shared.`];
  }
  if (executor !== "constant-arrival-rate") return [];
  const { rate, timeUnitMs, durationMs } = scenario;
  return [
    ...((rate * durationMs) / timeUnitMs > mostIterations
      ? [
          `Scenario ${name}: rate ${rate} for that duration makes more than ${mostIterations} iterations; lower one of them.`,
        ]
      : []),
    ...(scenario.arrivals === "poisson"
      ? [`Scenario ${name}: arrivals "poisson" cannot be run yet, only "uniform".`]
      : []),
    ...(scenario.onBusy === "queue"
      ? [`Scenario ${name}: onBusy "queue" cannot be run yet, only "drop".`]
      : []),
  ];
}

function thresholdProblems(
  { key, metric, text, expression, windowMs }: ValidatedThreshold,
  test: ValidatedTest,
): string[] {
  const builtIn = Object.entries(builtInMetrics).find(([name]) => name === metric)?.[1];
  const known = builtIn ?? test.metrics[metric];
  if (known === undefined) return [`Threshold "${key}": no metric is called ${metric}.`];
  const problem = checkAggregation({ name: metric, ...known }, expression);
  return [
    ...(problem === null ? [] : [problem]),
    ...(windowMs === null
      ? []
      : [`Threshold "${key}: ${text}": a window cannot be judged yet; leave it out.`]),
  ];
}
