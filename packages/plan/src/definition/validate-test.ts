import type { ValidatedMetric } from "@bearhug/metrics/metric-catalog";
import type { Problem } from "@bearhug/sdk";
import { ProblemCollector } from "@bearhug/sdk/internal";
import { showValue } from "@bearhug/text/describe-issue";
import { defaultHttp } from "../http-options/option-table.ts";
import { readEnv, type ValidatedEnv } from "./declared-env.ts";
import { readMetrics } from "./declared-metrics.ts";
import { readFeeds } from "./declared-feeds.ts";
import { readHttp } from "../http-options/read-http.ts";
import { readScenarios } from "./declared-scenarios.ts";
import { readThresholds } from "./declared-thresholds.ts";
import { topLevelSchema, type ValidatedTest } from "./validated-test.ts";

/** The outcome of {@link validateTest}. */
export interface TestValidation {
  /** Every problem; empty for a valid test. */
  readonly problems: readonly Problem[];
  /** The test as plain data; absent if there are problems. */
  readonly test?: ValidatedTest;
}

/**
 * Validates a test at run time, including rules that the compiler can't check. Returns all problems together,
 * or the test as plain data with durations in milliseconds and defaults filled in. Calls none of the test's
 * functions. Throws nothing. Thresholds may refer to `clientMetrics`, besides the built-in metrics and the
 * test's own.
 */
export function validateTest(
  value: unknown,
  clientMetrics: Readonly<Record<string, ValidatedMetric>> = {},
): TestValidation {
  const collector = new ProblemCollector("The test");
  const { problems } = collector;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    collector.add([], `must be the result of defineTest, but is ${showValue(value)}`);
    return { problems };
  }
  const parts = new Map<string, unknown>(Object.entries(value));
  const topLevel = collector.read(topLevelSchema(), value, []);
  const http = readHttp(parts.get("http"), defaultHttp, ["http"], collector);
  const env = readEnv(parts.get("env"), collector);
  const metrics = readMetrics(parts.get("metrics"), collector);
  const sharedOptions = {
    declaredEnv: env,
    http,
    expectsNoRequests: parts.get("expectNoRequests") === true,
    expectsFailures: parts.get("expectFailures") === true,
  };
  const scenarios = readScenarios(parts.get("scenarios"), sharedOptions, collector);
  const feeds = readFeeds(parts.get("feeds"), [...scenarios.keys()], collector);
  const metricTypes = new Map([...Object.entries(clientMetrics), ...metrics]);
  const targets = { metrics: metricTypes, scenarioNames: [...scenarios.keys()] };
  const thresholds = readThresholds(parts.get("thresholds") ?? {}, targets, collector);
  if (topLevel === undefined || problems.length > 0) return { problems };
  const test = {
    ...topLevel,
    http,
    env: recordOf(env),
    metrics: recordOf(metrics),
    feeds,
    scenarios: [...scenarios.values()].filter((scenario) => scenario !== undefined),
    thresholds,
  };
  return { problems, test };
}

function recordOf<T>(map: ReadonlyMap<string, T | undefined>): Record<string, T> {
  const entries = [...map].flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  return Object.fromEntries(entries);
}

/** Reads the environment variables that a test declares, and their problems. Throws nothing. */
export function declaredEnv(test: object): {
  readonly env: Readonly<Record<string, ValidatedEnv>>;
  readonly problems: readonly Problem[];
} {
  const collector = new ProblemCollector("The test");
  const { env } = { env: undefined, ...test };
  return { env: recordOf(readEnv(env, collector)), problems: collector.problems };
}
