import { InvalidInput } from "@bearhug/sdk";

import { defaultHttp } from "../../src/http-options/option-table.ts";
import type { ValidatedScenario } from "../../src/executors/validated-scenario.ts";
import type { ValidatedTest } from "../../src/definition/validated-test.ts";
import { makePlan, type PlannedRun } from "../../src/test-file/make-plan.ts";
import { readRunOptions, type RunOptions, type WrittenOptions } from "../../src/test-file/run-options.ts";

const base = {
  startTimeMs: 0,
  gracefulStopMs: 30_000,
  expectsNoRequests: false,
  tags: {},
  env: {},
  http: defaultHttp,
};
const open = {
  timeUnitMs: 1000,
  preAllocatedVUs: 1,
  maxVUs: 100,
  arrivals: "uniform",
  onBusy: "drop",
} as const;

export const constantVus = (name: string, vus = 5): ValidatedScenario => ({
  ...base,
  name,
  executor: "constant-vus",
  vus,
  durationMs: 10_000,
});

export const sharedIterations = (name: string, iterations = 100, vus = 3): ValidatedScenario => ({
  ...base,
  name,
  executor: "shared-iterations",
  vus,
  iterations,
  maxDurationMs: 60_000,
});

export const perVuIterations = (name: string, vus: number, iterations: number): ValidatedScenario => ({
  ...base,
  name,
  executor: "per-vu-iterations",
  vus,
  iterations,
  maxDurationMs: 60_000,
});

export const arrivals = (
  name: string,
  rate = 7,
  changes: { arrivals?: "poisson"; onBusy?: "queue"; maxVUs?: number } = {},
): ValidatedScenario => ({
  ...base,
  ...open,
  ...changes,
  name,
  executor: "constant-arrival-rate",
  rate,
  durationMs: 10_000,
});

export const rampingArrivals = (name: string): ValidatedScenario => ({
  ...base,
  ...open,
  name,
  executor: "ramping-arrival-rate",
  startRate: 1,
  stages: [{ durationMs: 1000, target: 4 }],
});

export const rampingVus = (name: string): ValidatedScenario => ({
  ...base,
  name,
  executor: "ramping-vus",
  startVUs: 1,
  stages: [{ durationMs: 1000, target: 4 }],
  gracefulRampDownMs: 0,
});

export function testOf(
  scenarios: readonly ValidatedScenario[],
  changes: Partial<ValidatedTest> = {},
): ValidatedTest {
  return {
    tags: {},
    name: "a test",
    baseUrl: "http://127.0.0.1:8080",
    allowHosts: [],
    siteHosts: [],
    allowUnmeasured: false,
    http: defaultHttp,
    env: {},
    metrics: {},
    feeds: [],
    hasSetup: false,
    hasVuState: false,
    setupTimeoutMs: 60_000,
    warmupMs: 0,
    hasTeardown: false,
    teardownTimeoutMs: 60_000,
    hasSummary: false,
    summaryTimeoutMs: 60_000,
    scenarios,
    thresholds: [],
    ...changes,
  };
}

/** Returns valid options. Throws if they have problems. */
export function optionsOf(written: WrittenOptions = {}): RunOptions {
  const problems: string[] = [];
  const options = readRunOptions(written, problems);
  if (problems.length > 0) throw new TypeError(problems.join("\n"));
  return options;
}

/** Plans a run of a test with valid options. */
export function plan(
  test: ValidatedTest,
  written: WrittenOptions = {},
  environment: Readonly<Record<string, string>> = {},
  cores = 4,
): PlannedRun {
  return makePlan(test, optionsOf(written), { environment, cores, fallbackName: "a file", clients: [] });
}

/** Returns every problem that keeps a test from running. */
export function problemsOf(test: ValidatedTest, written: WrittenOptions = {}): readonly string[] {
  try {
    plan(test, written);
  } catch (error) {
    if (error instanceof InvalidInput) return error.problems;
    throw error;
  }
  return [];
}
