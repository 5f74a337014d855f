import type { TestResult } from "@bearhug/sdk";

import { decodeHistogram } from "./histogram-encoding.ts";
import type { Histogram } from "./histogram.ts";
import { mergeHistograms } from "./merge-histograms.ts";

/** Histograms contain thousandths of a metric's unit. */
export const unitsPerMs = 1000;

/** A distribution of durations, read from the histograms of the result document. */
export interface MeasuredTrend {
  readonly histogram: Histogram;
  readonly samples: number;
}

/** Merges encoded histograms; null if there are none, or if one cannot be read. */
export function mergeEncoded(texts: readonly string[]): MeasuredTrend | null {
  const decoded = texts.map(decodeHistogram);
  const readable = decoded.filter((one) => one !== null);
  if (readable.length < decoded.length) return null;
  const histogram = mergeHistograms(readable);
  const samples = histogram.countUpTo(Number.MAX_SAFE_INTEGER);
  return samples === 0 ? null : { histogram, samples };
}

/** Returns the trend of all requests; from the run's intervals if a series has no histogram. */
export function trendOfRun(result: TestResult): MeasuredTrend | null {
  const own = result.series.filter(({ metric }) => metric === "http_req_duration");
  const histograms = own.flatMap(({ histogram }) => histogram ?? []);
  if (histograms.length === own.length && own.length > 0) return mergeEncoded(histograms);
  return mergeEncoded(result.intervals.flatMap(({ duration }) => duration ?? []));
}

/** Returns a percentile by nearest rank, in ms. */
export function percentileOf({ histogram, samples }: MeasuredTrend, percentile: number): number {
  return histogram.valueAtRank(Math.max(1, Math.ceil((percentile / 100) * samples))) / unitsPerMs;
}
