import { confidenceRanks } from "@bearhug/sdk/internal";

import { trendScale, type Trend } from "./trend.ts";

/** A percentile's 95 % confidence interval in public units; null where there are too few samples for one. */
export function confidenceInterval(trend: Trend, percentile: number): readonly [number, number] | null {
  const ranks = confidenceRanks(percentile, trend.count);
  if (ranks === null) return null;
  const [low, high] = ranks;
  return [trend.valueAtRank(low) / trendScale, trend.valueAtRank(high) / trendScale];
}
