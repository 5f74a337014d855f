import { summarizeMetric } from "../src/summarize.ts";
import type { Trend } from "../src/trend.ts";

/** Returns the confidence interval of a percentile in a trend's summary; null if it has none. */
export function confidenceInterval(trend: Trend, percentile: number): readonly [number, number] | null {
  const summary = summarizeMetric(trend, "ms", 1, [percentile]);
  if (summary.type !== "trend") return null;
  return summary.confidence?.[`p(${percentile})`] ?? null;
}
