import type { MetricResult } from "@bearhug/sdk";
import type { CensoredSamples, TrendResult } from "@bearhug/sdk/result";

import { type Aggregation, aggregationName, eachTrendFigure } from "./thresholds/threshold-language.ts";
import { confidenceRanks } from "./quantiles.ts";
import { type Accumulator, perSecond } from "./accumulator.ts";
import type { MetricInfo } from "./metric-catalog.ts";
import { aggregate, censoredIn } from "./thresholds/evaluate.ts";
import { nearestRank, trendScale, type Trend } from "./trend.ts";

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
  const noteBound = (aggregation: Aggregation, value: number): void => {
    if (censoredIn(trend, aggregation, value) > 0) lowerBounds.push(aggregationName(aggregation));
  };
  const figures = eachTrendFigure((kind) => {
    const value = aggregate(trend, { kind }, 0) ?? 0;
    noteBound({ kind }, value);
    return value;
  });
  const wanted = [...new Set([...standardPercentiles, ...percentiles])].map((percentile) => ({
    percentile,
    rank: nearestRank(percentile, trend.count),
    bounds: confidenceRanks(percentile, trend.count),
  }));
  const valueAt = valuesByRank(
    trend,
    wanted.flatMap(({ rank, bounds }) => [rank, ...(bounds ?? [])]),
  );
  const percentileValues: Record<`p(${number})`, number> = {};
  const confidence: Record<string, readonly [number, number]> = {};
  for (const { percentile, rank, bounds } of wanted) {
    const value = valueAt(rank);
    noteBound({ kind: "percentile", percentile }, value);
    percentileValues[`p(${percentile})`] = value;
    if (bounds !== null) confidence[`p(${percentile})`] = [valueAt(bounds[0]), valueAt(bounds[1])];
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

/** Looks up the values at these ranks, in public units, all at once. */
function valuesByRank(trend: Trend, ranks: readonly number[]): (rank: number) => number {
  const ascending = ranks.toSorted((left, right) => left - right);
  const values = trend.valuesAtRanks(ascending);
  return (rank) => (values[ascending.indexOf(rank)] ?? 0) / trendScale;
}
