import type { TestResult } from "@bearhug/sdk";
import { confidenceRanks } from "@bearhug/sdk/internal";

import { type MeasuredTrend, percentileOf, trendOfRun, unitsPerMs } from "./measured-trend.ts";
import type { PercentileFacts } from "./page-facts.ts";

/** Points of the curve for each nine of the percentile: 90, 99, 99.9. */
const pointsPerNine = 20;

/** The curve of all requests' durations; null where none was measured. */
export function gatherPercentiles(result: TestResult): PercentileFacts | null {
  const trend = trendOfRun(result, "http_req_duration");
  if (trend === null) return null;
  const percentiles = percentilesFor(trend.samples);
  const ends = percentiles.map((percentile) => confidenceOf(trend, percentile));
  return {
    title: "Request durations",
    note: "The band is the 95 % confidence interval. The axis gives each further nine (99 %, 99.9 %) the same width.",
    percentiles,
    valuesMs: percentiles.map((percentile) => percentileOf(trend, percentile)),
    lowMs: ends.map((end) => end?.[0] ?? null),
    highMs: ends.map((end) => end?.[1] ?? null),
  };
}

/** Up to the last percentile that is not simply the slowest sample. */
function percentilesFor(samples: number): number[] {
  const nines = Math.log10(samples);
  const count = Math.max(1, Math.ceil(nines * pointsPerNine));
  return Array.from({ length: count }, (_, index) => round(100 * (1 - 10 ** (-index / pointsPerNine))));
}

function round(percentile: number): number {
  return Number(percentile.toFixed(6));
}

function confidenceOf({ histogram, samples }: MeasuredTrend, percentile: number): [number, number] | null {
  const ranks = confidenceRanks(percentile, samples);
  if (ranks === null) return null;
  const [low, high] = ranks;
  return [histogram.valueAtRank(low) / unitsPerMs, histogram.valueAtRank(high) / unitsPerMs];
}
