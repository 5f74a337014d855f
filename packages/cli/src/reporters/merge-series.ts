import type { SeriesResult, TestResult } from "@bearhug/sdk";
import { decodeHistogram, mergeHistograms, valueAtPercentile } from "./compact-histogram.ts";

/** A distribution over several series. Its percentiles are absent where the histograms cannot be merged. */
export interface MergedTrend {
  readonly count: number;
  readonly min: number;
  readonly avg: number;
  readonly med?: number;
  readonly max: number;
  readonly [percentile: `p(${number})`]: number;
}

/** Histograms count thousandths of a metric's unit. */
const histogramScale = 1000;
const percentiles = [90, 95, 99] as const;

/** A trend over all its series that carry a tag, whatever else they carry; undefined where there is none. */
export function mergeTrend(
  result: TestResult,
  metric: string,
  tag: string,
  value: string,
): MergedTrend | undefined {
  const series = select(result, metric, tag, value);
  const count = sum(series, "count");
  if (count === 0) return undefined;
  const total = series.reduce((all, { values }) => all + (values["avg"] ?? 0) * (values["count"] ?? 0), 0);
  const min = Math.min(...series.map(({ values }) => values["min"] ?? Infinity));
  const max = Math.max(...series.map(({ values }) => values["max"] ?? -Infinity));
  return { count, min, avg: total / count, max, ...mergePercentiles(series, min, max) };
}

/** A rate over all its series that carry a tag: how many samples were true, and of how many. */
export function mergeRate(
  result: TestResult,
  metric: string,
  tag: string,
  value: string,
): { readonly passes: number; readonly samples: number } {
  const series = select(result, metric, tag, value);
  const passes = sum(series, "passes");
  return { passes, samples: passes + sum(series, "fails") };
}

/** Every value that a tag has in the series of a metric, in their order. */
export function tagValues({ series }: TestResult, metric: string, tag: string): string[] {
  const values = series.flatMap((candidate) => (candidate.metric === metric ? [candidate.tags[tag]] : []));
  return [...new Set(values.filter((value) => value !== undefined))];
}

function select({ series }: TestResult, metric: string, tag: string, value: string): SeriesResult[] {
  return series.filter((candidate) => candidate.metric === metric && candidate.tags[tag] === value);
}

function sum(series: readonly SeriesResult[], key: string): number {
  return series.reduce((total, { values }) => total + (values[key] ?? 0), 0);
}

/** Percentiles are read from merged histograms: they cannot be averaged. */
function mergePercentiles(
  series: readonly SeriesResult[],
  min: number,
  max: number,
): { med?: number } & Record<`p(${number})`, number> {
  const decoded = series.map(({ histogram }) =>
    histogram === null ? undefined : decodeHistogram(histogram),
  );
  const known = decoded.filter((histogram) => histogram !== undefined);
  const merged = known.length === decoded.length ? mergeHistograms(known) : undefined;
  if (!merged) return {};
  const at = (percentile: number): number =>
    Math.min(max, Math.max(min, valueAtPercentile(merged, percentile) / histogramScale));
  return {
    med: at(50),
    ...Object.fromEntries(percentiles.map((percentile) => [`p(${percentile})`, at(percentile)])),
  };
}
