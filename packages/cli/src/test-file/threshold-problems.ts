import {
  builtInMetrics,
  checkAggregation,
  closestName,
  filteredGauge,
  isBuiltInMetric,
  readGaugeName,
  type ValidatedTest,
  type ValidatedThreshold,
} from "@bearhug/sdk/internal";

import type { RunOptions } from "./run-options.ts";

/** Describes what is wrong with a threshold of a test that has these metrics of its own. */
export function thresholdProblems(
  { key, metric, filters, expression }: ValidatedThreshold,
  ownMetrics: ValidatedTest["metrics"],
): string[] {
  const builtIn = Object.entries(builtInMetrics).find(([name]) => name === metric)?.[1];
  const known = builtIn ?? ownMetrics[metric];
  const gauge = known === undefined ? readGaugeName(metric) : undefined;
  if (gauge !== undefined) {
    if (filters.length > 0) return [`Threshold "${key}": ${filteredGauge(metric)}.`];
    const monitored = { name: metric, type: "gauge", unit: gauge.unit, isMonitored: true } as const;
    return [checkAggregation(monitored, expression)].filter((problem) => problem !== null);
  }
  if (known === undefined) {
    const meant = closestName(metric, [...Object.keys(ownMetrics), ...Object.keys(builtInMetrics)]);
    const hint = meant === undefined ? "" : ` Did you mean ${meant}?`;
    return [`Threshold "${key}": no metric is called ${metric}.${hint}`];
  }
  const problem = checkAggregation({ name: metric, ...known }, expression);
  return problem === null ? [] : [problem];
}

/** Describes thresholds on gauges of monitors that a run lacks. A shard judges no thresholds, so it needs no monitors. */
export function unmonitoredThresholds(
  {
    thresholds,
    plan,
  }: { readonly thresholds: readonly ValidatedThreshold[]; readonly plan: Pick<ValidatedTest, "metrics"> },
  { monitors, sharding }: Pick<RunOptions, "monitors" | "sharding">,
): string[] {
  if (sharding.shard !== null) return [];
  const names = monitors.map(({ name }) => name);
  const known = new Set([...Object.keys(builtInMetrics), ...Object.keys(plan.metrics)]);
  return thresholds.flatMap(({ key, metric, allowEmpty }) => {
    const monitor = known.has(metric) ? undefined : readGaugeName(metric)?.monitor;
    if (monitor === undefined || names.includes(monitor) || allowEmpty) return [];
    const there = names.length === 0 ? "" : ` There is ${names.join(", ")}.`;
    return [
      `Threshold "${key}": no monitor is called ${monitor}.${there} Add --monitor ${monitor}=URL or --monitor-pid ${monitor}=PID. With allowEmpty: true, the threshold passes without it.`,
    ];
  });
}

/** Checks a threshold of the command line before the test is loaded, as far as that is possible. */
export function earlyThresholdProblems(threshold: ValidatedThreshold, hasOwnMetrics: boolean): string[] {
  if (hasOwnMetrics && !isBuiltInMetric(threshold.metric)) return [];
  return thresholdProblems(threshold, {}).map((problem) => `--threshold: ${problem}`);
}
