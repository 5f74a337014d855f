import type { TestResult } from "@bearhug/sdk";
import type { RunCurves, RunMoment } from "@bearhug/sdk/result";

import { type MeasuredTrend, mergeEncoded, percentileOf, trendOfRun } from "./measured-trend.ts";
import { sumFigures } from "./sum.ts";

/** The number of points of the curve for each nine of the percentile: 90, 99, 99.9. */
const pointsPerNine = 20;

/** Returns the curves of a run, for a chart that also contains another run. */
export function curvesOf(result: TestResult): RunCurves {
  const trend = trendOfRun(result);
  return {
    moments: momentsOf(
      result.intervals,
      result.intervals.map(({ duration }) => trendOf(duration)),
    ).map(shorten),
    percentiles: percentilesFor(trend?.samples ?? 0).map((percentile) => [
      percentile,
      trend === null ? 0 : toDigits(percentileOf(trend, percentile)),
    ]),
  };
}

type Interval = TestResult["intervals"][number];

/** Returns the figures of intervals; `trends` has the durations of each interval. */
export function momentsOf(
  intervals: readonly Interval[],
  trends: readonly (MeasuredTrend | null)[],
): RunMoment[] {
  return intervals.map((one, index) =>
    momentOf(one, trends[index] ?? null, countedFor(one, intervals[index - 1])),
  );
}

/**
 * Returns the counts and the time for an interval's rates. The last interval may be a tenth of a
 * second, in which all users end their iterations. Its rate alone would be a false peak, so the
 * interval before it is added.
 */
function countedFor(one: Interval, before: Interval | undefined): Counted {
  if (before === undefined || one.widthMs >= before.widthMs / 2) return one;
  return sumFigures([before, one], ...counted);
}

const counted = ["widthMs", "http_reqs", "http_reqs_failed", "iterations", "dropped", "bytes"] as const;
type Counted = Pick<Interval, (typeof counted)[number]>;

function momentOf(one: Interval, trend: MeasuredTrend | null, counted: Counted): RunMoment {
  const perSecond = (count: number): number => (count * 1000) / counted.widthMs;
  return {
    atMs: one.atMs,
    p50Ms: trend && percentileOf(trend, 50),
    p95Ms: trend && percentileOf(trend, 95),
    p99Ms: trend && percentileOf(trend, 99),
    requestRate: perSecond(counted.http_reqs),
    failedRequestRate: perSecond(counted.http_reqs_failed),
    vus: one.vus,
    iterationRate: perSecond(counted.iterations),
    droppedRate: perSecond(counted.dropped),
    receivedRate: perSecond(counted.bytes),
  };
}

export function trendOf(encoded: string | null): MeasuredTrend | null {
  return encoded === null ? null : mergeEncoded([encoded]);
}

/**
 * Returns percentiles up to the last one that is not simply the slowest of `samples` samples;
 * none without a sample.
 */
export function percentilesFor(samples: number): number[] {
  if (samples === 0) return [];
  const count = Math.max(1, Math.ceil(Math.log10(samples) * pointsPerNine));
  return Array.from({ length: count }, (_, index) =>
    Number((100 * (1 - 10 ** (-index / pointsPerNine))).toFixed(6)),
  );
}

/** Rounds figures to the digits that a chart needs. */
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
