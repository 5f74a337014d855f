import type { ThresholdStanding } from "@bearhug/sdk";
import { aggregatedUnit, type ValidatedThreshold } from "@bearhug/sdk/internal";

import { findMetric, type MetricInfo } from "../metrics/metric-catalog.ts";
import { evaluateThreshold } from "../thresholds/evaluate.ts";
import { isUnanswerable } from "./assemble-result.ts";
import type { Collector } from "./collect.ts";

/** Thresholds on the samples so far, which the workers gathered in `durationMs`. */
export function thresholdStandings(
  thresholds: readonly ValidatedThreshold[],
  catalog: ReadonlyMap<string, MetricInfo>,
  { totals, windows, foldedTags }: Pick<Collector, "totals" | "windows" | "foldedTags">,
  durationMs: number,
): ThresholdStanding[] {
  return thresholds.map((threshold) => {
    const { key, text, metric, windowMs, expression } = threshold;
    const info = findMetric(catalog, metric);
    const named = {
      ...{ metric: key, expression: text },
      unit: info === undefined ? null : aggregatedUnit(info, expression.aggregation.kind),
      isShare: info?.type === "rate",
    };
    if (isUnanswerable(threshold, foldedTags)) return { ...named, passed: false, actual: null };
    if (windowMs !== null) {
      const { passed, actual } = windows.reading(threshold) ?? nothingToJudge;
      return { ...named, passed, actual };
    }
    const { passed, actual, samples } = evaluateThreshold(threshold, totals.of(threshold), durationMs);
    return { ...named, passed: samples === 0 ? null : passed, actual };
  });
}

const nothingToJudge = { passed: null, actual: null };
