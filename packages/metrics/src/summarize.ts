import type { MetricResult } from "@bearhug/sdk";
import { confidenceRanks } from "@bearhug/sdk/internal";
import type { CensoredSamples, TrendResult } from "@bearhug/sdk/result";

import type { Accumulator } from "./accumulator.ts";
import type { MetricInfo } from "./metric-catalog.ts";
import { trendScale, type Trend } from "./trend.ts";

const standardPercentiles = [50, 90, 95, 99, 99.9];

/** A metric's values in public units; rates per second are over `durationMs`. */
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

export function perSecond(total: number, durationMs: number): number {
  return durationMs > 0 ? total / (durationMs / 1000) : 0;
}

function summarizeTrend(
  trend: Trend,
  percentiles: readonly number[],
): Pick<TrendResult, "values" | "confidence" | "lowerBounds" | "censored"> {
  const percentileValues: Record<`p(${number})`, number> = {};
  const confidence: Record<string, readonly [number, number]> = {};
  for (const percentile of new Set([...standardPercentiles, ...percentiles])) {
    percentileValues[`p(${percentile})`] = trend.percentile(percentile);
    const interval = confidenceInterval(trend, percentile);
    if (interval !== null) confidence[`p(${percentile})`] = interval;
  }
  const values = {
    count: trend.count,
    min: trend.min / trendScale,
    avg: trend.sum / trend.count / trendScale,
    med: trend.percentile(50),
    max: trend.max / trendScale,
    ...percentileValues,
  };
  return {
    values,
    ...(Object.keys(confidence).length > 0 && { confidence }),
    ...describeCensored(trend, values),
  };
}

/** Says which values are only lower bounds; nothing where all are exact. */
function describeCensored(
  trend: Trend,
  values: Readonly<Record<string, number>>,
): Pick<TrendResult, "lowerBounds" | "censored"> {
  const censored = censoredOf(trend);
  if (censored === undefined) return {};
  const lowerBounds = Object.entries(values).flatMap(([key, value]) =>
    key !== "count" && (key === "avg" || trend.isLowerBound(value)) ? [key] : [],
  );
  return { lowerBounds, censored };
}

/** The censored samples of a trend in public units; undefined where it has none. */
export function censoredOf({ censored }: Trend): CensoredSamples | undefined {
  return censored === null ? undefined : { samples: censored.count, from: censored.least / trendScale };
}

/** A percentile's 95 % confidence interval in public units; null where there are too few samples for one. */
export function confidenceInterval(trend: Trend, percentile: number): readonly [number, number] | null {
  const ranks = confidenceRanks(percentile, trend.count);
  if (ranks === null) return null;
  const [low, high] = ranks;
  return [trend.valueAtRank(low) / trendScale, trend.valueAtRank(high) / trendScale];
}
