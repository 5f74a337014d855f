import { parseMetricSelector, matchesTags, type MetricSelector } from "@bearhug/metrics/metric-selector";
import { detailTags } from "@bearhug/metrics/tags";
import {
  aggregationName,
  type Aggregation,
  holds,
  type ThresholdCondition,
} from "@bearhug/metrics/thresholds/threshold-language";
import { conditionOf } from "@bearhug/metrics/thresholds/threshold-value";
import { clientMetrics } from "@bearhug/plan/clients/client-kind";
import type { TestResult, ThresholdResult } from "@bearhug/sdk";
import { attempt } from "@bearhug/text/caught-error";

import { builtInClients } from "../../built-in-clients.ts";
import { around, claim, outside, unequal, type Contradiction, type Range } from "./contradiction.ts";
import { seriesOf, mergeSeries } from "./merge-series.ts";

const masked = "***";

/** Evaluates thresholds again: their outcome from their value, and their value from metrics and series. */
export function wrongThresholds(result: TestResult): Contradiction[] {
  return result.thresholds.flatMap((threshold, index) => {
    const path = `thresholds[${index}]`;
    // Masking can make two filters equal, or hide the limit.
    if (`${threshold.metric} ${threshold.expression}`.includes(masked)) return [];
    const condition = conditionOf(threshold);
    if (condition === null)
      return [{ path: `${path}.expression`, message: `"${threshold.expression}" is not a threshold` }];
    return [
      ...wrongVerdict(path, threshold, condition),
      ...wrongActual(path, result, threshold, condition.aggregation),
    ];
  });
}

function wrongVerdict(
  path: string,
  threshold: ThresholdResult,
  condition: ThresholdCondition,
): Contradiction[] {
  const { passed, actual, samples, allowEmpty, censoredSamples, expression } = threshold;
  if (passed === null) return [];
  // A threshold with samples but no value could not be evaluated, and failed.
  const expected =
    actual === null ? samples === 0 && allowEmpty : holds(actual, condition, censoredSamples !== undefined);
  const came = actual === null ? `there is no value (${samples} samples)` : `it came to ${actual}`;
  return claim(
    passed === expected,
    `${path}.passed`,
    `is ${passed}, but ${came}, for which "${expression}" is ${expected}`,
  );
}

/**
 * Checks the value of a threshold. Cannot check one with a window or with filters that the document's series
 * lack.
 */
function wrongActual(
  path: string,
  result: TestResult,
  { metric: key, actual, samples, window }: ThresholdResult,
  aggregation: Aggregation,
): Contradiction[] {
  const selector = attempt(() => parseMetricSelector(key));
  if (selector === null || window !== null || !isAnswerable(selector)) return [];
  const values = valuesOf(result, selector);
  const counted = countSamples(values);
  const value = values.get(aggregationName(aggregation));
  return [
    ...(counted === null
      ? []
      : unequal(`${path}.samples`, samples, counted, `the number of samples of ${key}`)),
    ...(actual === null || value === undefined ? [] : outside(`${path}.actual`, actual, value, "its metric")),
  ];
}

function middleOf(range: Range | undefined): number | undefined {
  return range === undefined ? undefined : (range.least + range.most) / 2;
}

/** Returns the number of samples of a trend or a rate; null if the document does not contain it. */
function countSamples(values: ReadonlyMap<string, Range>): number | null {
  const [count, passes, fails] = ["count", "passes", "fails"].map((key) => middleOf(values.get(key)));
  if (passes !== undefined && fails !== undefined) return Math.round(passes + fails);
  return count !== undefined && values.has("avg") ? Math.round(count) : null;
}

const known = clientMetrics(builtInClients);

/** True if the document's series have the filters' tags: those of phases have only scenario and page. */
function isAnswerable({ metric, filters }: MetricSelector): boolean {
  return known[metric]?.isDetail !== true || filters.every(({ tag }) => detailTags.includes(tag));
}

function valuesOf(result: TestResult, { metric, filters }: MetricSelector): ReadonlyMap<string, Range> {
  if (filters.length > 0) {
    return mergeSeries(seriesOf(result, metric).filter(({ tags }) => matchesTags({ metric, filters }, tags)));
  }
  const values: Readonly<Record<string, number>> = { ...result.metrics[metric]?.values };
  return new Map(Object.entries(values).map(([key, value]) => [key, around(value)]));
}
