import {
  builtInMetrics,
  checkAggregation,
  closestName,
  isBuiltInMetric,
  type ValidatedTest,
  type ValidatedThreshold,
} from "@bearhug/sdk/internal";

/** Describes what is wrong with a threshold of a test that has these metrics of its own. */
export function thresholdProblems(
  { key, metric, expression }: ValidatedThreshold,
  ownMetrics: ValidatedTest["metrics"],
): string[] {
  const builtIn = Object.entries(builtInMetrics).find(([name]) => name === metric)?.[1];
  const known = builtIn ?? ownMetrics[metric];
  if (known === undefined) {
    const meant = closestName(metric, [...Object.keys(ownMetrics), ...Object.keys(builtInMetrics)]);
    const hint = meant === undefined ? "" : ` Did you mean ${meant}?`;
    return [`Threshold "${key}": no metric is called ${metric}.${hint}`];
  }
  const problem = checkAggregation({ name: metric, ...known }, expression);
  return problem === null ? [] : [problem];
}

/** Checks a threshold of the command line before the test is loaded, as far as that is possible. */
export function earlyThresholdProblems(threshold: ValidatedThreshold, hasOwnMetrics: boolean): string[] {
  if (hasOwnMetrics && !isBuiltInMetric(threshold.metric)) return [];
  return thresholdProblems(threshold, {}).map((problem) => `--threshold: ${problem}`);
}
