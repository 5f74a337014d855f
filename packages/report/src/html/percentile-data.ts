import { type MeasuredTrend, percentileOf, trendOfRun, unitsPerMs } from "@bearhug/metrics/measured-trend";
import { confidenceRanks } from "@bearhug/metrics/quantiles";
import { percentilesFor } from "@bearhug/metrics/run-curves";
import type { TestResult } from "@bearhug/sdk";
import type { RunCurves } from "@bearhug/sdk/result";

import { expectedTimes } from "../expected-times.ts";
import type { PercentileData } from "./page-data.ts";

const title = "Request durations";
const noteOfAxis = "The axis gives each further nine (99 %, 99.9 %) the same width.";

/**
 * Gathers the curve of all requests' durations, beside that of a base if there is one; null if none was
 * measured.
 */
export function gatherPercentiles(result: TestResult, base: RunCurves | null): PercentileData | null {
  const trend = trendOfRun(result);
  if (trend === null) return null;
  const percentiles = percentilesFor(trend.samples);
  const scope = expectedTimes(result).size === 0 ? "" : "Of all requests, failed ones included. ";
  const ends = percentiles.map((percentile) => confidenceOf(trend, percentile));
  return {
    title,
    note: `${scope}The band is the 95 % confidence interval. ${noteOfAxis}`,
    percentiles,
    valuesMs: percentiles.map((percentile) => percentileOf(trend, percentile)),
    lowMs: ends.map((end) => end?.[0] ?? null),
    highMs: ends.map((end) => end?.[1] ?? null),
    baseMs: base === null ? null : timesAt(percentiles, base),
  };
}

/** Gathers the curves of two runs; null if the new one measured nothing. */
export function comparePercentiles(base: RunCurves | null, other: RunCurves): PercentileData | null {
  const percentiles = other.percentiles.map(([percentile]) => percentile);
  if (percentiles.length === 0) return null;
  const none = percentiles.map(() => null);
  return {
    title,
    note: noteOfAxis,
    percentiles,
    valuesMs: other.percentiles.map(([, ms]) => ms),
    lowMs: none,
    highMs: none,
    baseMs: base === null ? null : timesAt(percentiles, base),
  };
}

/**
 * Returns a curve's times at these percentiles; null beyond its samples. All curves have the same percentiles
 * otherwise.
 */
function timesAt(percentiles: readonly number[], curves: RunCurves): (number | null)[] {
  const times = new Map(curves.percentiles);
  return percentiles.map((percentile) => times.get(percentile) ?? null);
}

function confidenceOf({ histogram, samples }: MeasuredTrend, percentile: number): [number, number] | null {
  const ranks = confidenceRanks(percentile, samples);
  if (ranks === null) return null;
  const [low, high] = ranks;
  return [histogram.valueAtRank(low) / unitsPerMs, histogram.valueAtRank(high) / unitsPerMs];
}
