import { mergeHistograms } from "@bearhug/metrics/merge-histograms";
import { percentileSteps, summarizeDistribution } from "@bearhug/metrics/percentile-distribution";
import type { TestResult } from "@bearhug/sdk";
import { asLines } from "@bearhug/text/as-lines";

import { responseTimes, type ResponseTimes } from "./response-times.ts";

/**
 * Renders the response times of a run in the text form of HdrHistogram (.hgrm): those of HTTP, or of the
 * first other client if there are none.
 */
export function renderPercentileText(result: TestResult): string {
  const [first = { intervals: [], censored: null }] = responseTimes(result);
  return asLines(percentileLines(first));
}

const microsecondsPerMs = 1000;

/**
 * Returns HdrHistogram's percentile distribution in milliseconds, with a line on lower bounds if there are
 * any.
 */
export function percentileLines({ intervals, censored }: Omit<ResponseTimes, "client">): string[] {
  const merged = mergeHistograms(intervals);
  const ranges = merged.ranges();
  const { count, mean, standardDeviation, max } = summarizeDistribution(ranges);
  const { buckets, subBuckets } = merged.arraySize();
  return [
    `${"Value".padStart(12)} ${"Percentile".padStart(14)} ${"TotalCount".padStart(10)} ${"1/(1-Percentile)".padStart(14)}`,
    "",
    ...percentileSteps(ranges).map((step) => {
      const share = step.percentile / 100;
      // Java rounds 0.9997802734375 up, whichever way its binary fraction errs.
      const shown = (share + Number.EPSILON).toFixed(12);
      const line = `${inMs(step.value)} ${shown} ${String(step.count).padStart(10)}`;
      return step.percentile === 100 ? line : `${line} ${(1 / (1 - share)).toFixed(2).padStart(14)}`;
    }),
    `#[Mean    = ${inMs(mean)}, StdDeviation   = ${inMs(standardDeviation)}]`,
    `#[Max     = ${inMs(max)}, Total count    = ${String(count).padStart(12)}]`,
    `#[Buckets = ${String(buckets).padStart(12)}, SubBuckets     = ${String(subBuckets).padStart(12)}]`,
    ...(censored === null ? [] : [`#[${describeCensored(censored)}]`]),
  ];
}

function inMs(microseconds: number): string {
  return (microseconds / microsecondsPerMs).toFixed(3).padStart(12);
}

function describeCensored({ samples, from }: NonNullable<ResponseTimes["censored"]>): string {
  const cutOff = samples === 1 ? "1 request was cut off" : `${samples} requests were cut off`;
  return `Values from ${from.toFixed(3)} on are lower bounds: ${cutOff}`;
}
