import type { TestResult } from "@bearhug/sdk";

import { gatherHeatMap } from "./heat-map-facts.ts";
import { type MeasuredTrend, mergeEncoded, percentileOf } from "./measured-trend.ts";
import type { LineChartFacts, TimelineFacts } from "./page-facts.ts";

type Interval = TestResult["intervals"][number];

const shownPercentiles = [50, 95, 99];

/** The charts of a run over time; null where it has no intervals. */
export function gatherTimeline({ intervals }: TestResult): TimelineFacts | null {
  if (intervals.length === 0) return null;
  const durations = intervals.map(({ duration }) => trendOf(duration));
  const charts = [
    durationChart(durations),
    requestChart(intervals),
    virtualUserChart(intervals),
    iterationChart(intervals),
    transferChart(intervals),
  ];
  return {
    seconds: intervals.map(({ atMs }) => atMs / 1000),
    charts: charts.filter(({ lines }) => lines.some(hasValues)),
    heatMap: gatherHeatMap(durations),
  };
}

function trendOf(encoded: string | null): MeasuredTrend | null {
  return encoded === null ? null : mergeEncoded([encoded]);
}

function hasValues({ values }: LineChartFacts["lines"][number]): boolean {
  return values.some((value) => value !== null);
}

function durationChart(durations: readonly (MeasuredTrend | null)[]): LineChartFacts {
  return {
    id: "durations",
    title: "Request duration",
    note: "percentiles of each interval",
    unit: "ms",
    lines: shownPercentiles.map((percentile) => ({
      label: `p${percentile}`,
      values: durations.map((trend) => trend && percentileOf(trend, percentile)),
    })),
  };
}

function requestChart(intervals: readonly Interval[]): LineChartFacts {
  const lines = [{ label: "requests", values: intervals.map((one) => perSecond(one, one.http_reqs)) }];
  if (intervals.some((one) => one.http_reqs_failed > 0))
    lines.push({ label: "failed", values: intervals.map((one) => perSecond(one, one.http_reqs_failed)) });
  return { id: "requests", title: "Requests", note: "per second", unit: "per second", lines };
}

function virtualUserChart(intervals: readonly Interval[]): LineChartFacts {
  return {
    id: "vus",
    title: "Virtual users",
    note: "at work",
    unit: "count",
    lines: [{ label: "virtual users", values: intervals.map(({ vus }) => vus) }],
  };
}

function iterationChart(intervals: readonly Interval[]): LineChartFacts {
  const lines = [{ label: "ended", values: intervals.map((one) => perSecond(one, one.iterations)) }];
  if (intervals.some(({ dropped }) => dropped > 0))
    lines.push(
      { label: "due", values: intervals.map((one) => perSecond(one, one.iterations + one.dropped)) },
      { label: "dropped", values: intervals.map((one) => perSecond(one, one.dropped)) },
    );
  return { id: "iterations", title: "Iterations", note: "per second", unit: "per second", lines };
}

function transferChart(intervals: readonly Interval[]): LineChartFacts {
  return {
    id: "received",
    title: "Data received",
    note: "per second",
    unit: "bytes per second",
    lines: [{ label: "received", values: intervals.map((one) => perSecond(one, one.bytes)) }],
  };
}

function perSecond({ widthMs }: Interval, count: number): number {
  return (count * 1000) / widthMs;
}
