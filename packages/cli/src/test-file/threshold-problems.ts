import {
  builtInMetrics,
  checkThreshold,
  closestName,
  filteredGauge,
  isBuiltInMetric,
  judgedMetric,
  readGaugeName,
  type ValidatedTest,
  type ValidatedThreshold,
} from "@bearhug/sdk/internal";

import { unknownMonitor } from "../monitors/monitor-kinds.ts";
import type { RunOptions } from "./run-options.ts";

/** Describes what is wrong with a threshold of a test that has these metrics of its own. */
export function thresholdProblems(
  { key, metric, filters, expression }: ValidatedThreshold,
  ownMetrics: ValidatedTest["metrics"],
): string[] {
  const judged = judgedMetric(metric, ownMetrics[metric]);
  if (judged === undefined) {
    const meant = closestName(metric, [...Object.keys(ownMetrics), ...Object.keys(builtInMetrics)]);
    const hint = meant === undefined ? "" : ` Did you mean ${meant}?`;
    return [`Threshold "${key}": no metric is called ${metric}.${hint}`];
  }
  if (judged.type === "monitored gauge" && filters.length > 0)
    return [`Threshold "${key}": ${filteredGauge(metric)}.`];
  const problem = checkThreshold(judged, expression);
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
    return [
      `Threshold "${key}": ${unknownMonitor(monitor, names)} With allowEmpty: true, the threshold passes without it.`,
    ];
  });
}

/** Checks a threshold of the command line before the test is loaded, as far as that is possible. */
export function earlyThresholdProblems(threshold: ValidatedThreshold, hasOwnMetrics: boolean): string[] {
  if (hasOwnMetrics && !isBuiltInMetric(threshold.metric)) return [];
  return thresholdProblems(threshold, {}).map((problem) => `--threshold: ${problem}`);
}
