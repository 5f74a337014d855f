import type { TestResult } from "@bearhug/sdk";
import type { RunCurves, RunMoment } from "@bearhug/sdk/internal";

import { type MeasuredTrend, mergeEncoded, percentileOf, trendOfRun } from "./measured-trend.ts";

/** Points of the curve for each nine of the percentile: 90, 99, 99.9. */
const pointsPerNine = 20;

/** The curves of a run, for a chart that it shares with another one. */
export function curvesOf(result: TestResult): RunCurves {
  const trend = trendOfRun(result, "http_req_duration");
  return {
    moments: result.intervals.map((one) => shorten(momentOf(one, trendOf(one.duration)))),
    percentiles: percentilesFor(trend?.samples ?? 0).map((percentile) => [
      percentile,
      trend === null ? 0 : toDigits(percentileOf(trend, percentile)),
    ]),
  };
}

/** The figures of an interval, the durations of which are in `trend`. */
export function momentOf(one: TestResult["intervals"][number], trend: MeasuredTrend | null): RunMoment {
  const perSecond = (count: number): number => (count * 1000) / one.widthMs;
  return {
    atMs: one.atMs,
    p50Ms: trend && percentileOf(trend, 50),
    p95Ms: trend && percentileOf(trend, 95),
    p99Ms: trend && percentileOf(trend, 99),
    requestRate: perSecond(one.http_reqs),
    failedRequestRate: perSecond(one.http_reqs_failed),
    vus: one.vus,
    iterationRate: perSecond(one.iterations),
    droppedRate: perSecond(one.dropped),
    receivedRate: perSecond(one.bytes),
  };
}

export function trendOf(encoded: string | null): MeasuredTrend | null {
  return encoded === null ? null : mergeEncoded([encoded]);
}

/** Up to the last percentile that is not simply the slowest of so many samples; none without a sample. */
export function percentilesFor(samples: number): number[] {
  if (samples === 0) return [];
  const count = Math.max(1, Math.ceil(Math.log10(samples) * pointsPerNine));
  return Array.from({ length: count }, (_, index) =>
    Number((100 * (1 - 10 ** (-index / pointsPerNine))).toFixed(6)),
  );
}

/** A chart shows no more digits. */
function shorten(moment: RunMoment): RunMoment {
  return {
    ...moment,
    p50Ms: moment.p50Ms && toDigits(moment.p50Ms),
    p95Ms: moment.p95Ms && toDigits(moment.p95Ms),
    p99Ms: moment.p99Ms && toDigits(moment.p99Ms),
    requestRate: toDigits(moment.requestRate),
    failedRequestRate: toDigits(moment.failedRequestRate),
    iterationRate: toDigits(moment.iterationRate),
    droppedRate: toDigits(moment.droppedRate),
    receivedRate: toDigits(moment.receivedRate),
  };
}

function toDigits(value: number): number {
  return Number(value.toPrecision(4));
}
