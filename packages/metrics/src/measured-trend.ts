import type { TestResult } from "@bearhug/sdk";

import { decodeHistogram } from "./histogram-encoding.ts";
import type { Histogram } from "./histogram.ts";
import { mergeHistograms } from "./merge-histograms.ts";

/** Histograms hold thousandths of a metric's unit. */
export const unitsPerMs = 1000;

/** A distribution of durations, read from the histograms of the result document. */
export interface MeasuredTrend {
  readonly histogram: Histogram;
  readonly samples: number;
}

/** Adds up encoded histograms; null where there are none, or one of them cannot be read. */
export function mergeEncoded(texts: readonly string[]): MeasuredTrend | null {
  const decoded = texts.map(decodeHistogram);
  const readable = decoded.filter((one) => one !== null);
  if (readable.length < decoded.length) return null;
  const histogram = mergeHistograms(readable);
  const samples = histogram.ranges().reduce((sum, { count }) => sum + count, 0);
  return samples === 0 ? null : { histogram, samples };
}

/** The trend of all samples of a metric; from the run's intervals if a series has no histogram. */
export function trendOfRun(result: TestResult, metric: "http_req_duration"): MeasuredTrend | null {
  const own = result.series.filter((one) => one.metric === metric);
  const histograms = own.flatMap(({ histogram }) => histogram ?? []);
  if (histograms.length === own.length && own.length > 0) return mergeEncoded(histograms);
  return mergeEncoded(result.intervals.flatMap(({ duration }) => duration ?? []));
}

/** A percentile by nearest rank, in ms. */
export function percentileOf({ histogram, samples }: MeasuredTrend, percentile: number): number {
  return histogram.valueAtRank(Math.max(1, Math.ceil((percentile / 100) * samples))) / unitsPerMs;
}
