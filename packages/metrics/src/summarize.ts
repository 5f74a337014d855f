import type { MetricResult } from "@bearhug/sdk";
import type { CensoredSamples, TrendResult } from "@bearhug/sdk/result";

import {
  aggregate,
  type Aggregation,
  aggregationName,
  censoredIn,
  eachTrendFigure,
} from "./thresholds/threshold-language.ts";
import { confidenceRanks } from "./quantiles.ts";
import { type Accumulator, perSecond } from "./accumulator.ts";
import type { MetricInfo } from "./metric-catalog.ts";
import { trendScale, type Trend } from "./trend.ts";

const standardPercentiles = [50, 90, 95, 99, 99.9];

/** Returns a metric's values in public units; rates per second are over `durationMs`. */
export function summarizeMetric(
  accumulator: Accumulator,
  unit: MetricInfo["unit"],
  durationMs: number,
  percentiles: readonly number[] = [],
): MetricResult {
  switch (accumulator.type) {
    case "counter":
      return {
        type: "counter",
        unit,
        values: { count: accumulator.total, rate: perSecond(accumulator.total, durationMs) },
      };
    case "gauge":
      return {
        type: "gauge",
        unit,
        values: { value: accumulator.value, min: accumulator.min, max: accumulator.max },
      };
    case "rate": {
      const { trues, samples } = accumulator;
      return { type: "rate", unit, values: { rate: trues / samples, passes: trues, fails: samples - trues } };
    }
    case "trend":
      return { type: "trend", unit, ...summarizeTrend(accumulator, percentiles) };
  }
}

function summarizeTrend(
  trend: Trend,
  percentiles: readonly number[],
): Pick<TrendResult, "values" | "confidence" | "lowerBounds" | "censored"> {
  const lowerBounds: string[] = [];
  const valueOf = (aggregation: Aggregation): number => {
    const value = aggregate(trend, aggregation, 0) ?? 0;
    if (censoredIn(trend, aggregation, value) > 0) lowerBounds.push(aggregationName(aggregation));
    return value;
  };
  const figures = eachTrendFigure((kind) => valueOf({ kind }));
  const percentileValues: Record<`p(${number})`, number> = {};
  const confidence: Record<string, readonly [number, number]> = {};
  for (const percentile of new Set([...standardPercentiles, ...percentiles])) {
    percentileValues[`p(${percentile})`] = valueOf({ kind: "percentile", percentile });
    const interval = confidenceInterval(trend, percentile);
    if (interval !== null) confidence[`p(${percentile})`] = interval;
  }
  const censored = censoredOf(trend);
  return {
    values: { count: trend.count, ...figures, ...percentileValues },
    ...(Object.keys(confidence).length > 0 && { confidence }),
    ...(censored !== undefined && { lowerBounds, censored }),
  };
}

/** Returns the censored samples of a trend in public units; undefined if it has none. */
export function censoredOf({ censored }: Trend): CensoredSamples | undefined {
  return censored === null ? undefined : { samples: censored.count, from: censored.least / trendScale };
}

/**
 * Returns a percentile's 95 % confidence interval in public units; null if there are too few samples for one.
 */
export function confidenceInterval(trend: Trend, percentile: number): readonly [number, number] | null {
  const ranks = confidenceRanks(percentile, trend.count);
  if (ranks === null) return null;
  const [low, high] = ranks;
  return [trend.valueAtRank(low) / trendScale, trend.valueAtRank(high) / trendScale];
}
