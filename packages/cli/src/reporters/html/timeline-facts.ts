import type { TestResult } from "@bearhug/sdk";

import { gatherHeatMap } from "./heat-map-facts.ts";
import { type MeasuredTrend, mergeEncoded, percentileOf } from "./measured-trend.ts";
import type { LineChartFacts, TimelineFacts } from "./page-facts.ts";

type Interval = TestResult["intervals"][number];

/** The percentiles of each moment of a run. */
const shownPercentiles = [50, 95, 99] as const;

/** A stretch of a run, as the charts over time show it. Rates are per second. */
export interface TimelineMoment {
  /** When it ended, from the start of the load. */
  readonly atMs: number;
  /** The percentiles of request durations in ms, p50, p95 and p99; null without a sample. */
  readonly durations: readonly (number | null)[];
  readonly requestRate: number;
  readonly failedRequestRate: number;
  readonly vus: number;
  readonly iterationRate: number;
  readonly droppedRate: number;
  readonly receivedRate: number;
}

/** The charts of a run over time; null where it has no intervals. */
export function gatherTimeline({ intervals }: TestResult): TimelineFacts | null {
  const durations = intervals.map(({ duration }) => trendOf(duration));
  const moments = intervals.map((one, index) => momentOf(one, durations[index] ?? null));
  return gatherCharts(moments, () => gatherHeatMap(durations));
}

/** The charts of these moments; null where there are none. */
export function gatherCharts(
  moments: readonly TimelineMoment[],
  heatMap: () => TimelineFacts["heatMap"] = () => null,
): TimelineFacts | null {
  if (moments.length === 0) return null;
  const charts = [durationChart, requestChart, virtualUserChart, iterationChart, transferChart];
  return {
    seconds: moments.map(({ atMs }) => atMs / 1000),
    charts: charts.map((chart) => chart(moments)).filter(({ lines }) => lines.some(hasValues)),
    heatMap: heatMap(),
  };
}

function momentOf(one: Interval, trend: MeasuredTrend | null): TimelineMoment {
  const perSecond = (count: number): number => (count * 1000) / one.widthMs;
  return {
    atMs: one.atMs,
    durations: shownPercentiles.map((percentile) => trend && percentileOf(trend, percentile)),
    requestRate: perSecond(one.http_reqs),
    failedRequestRate: perSecond(one.http_reqs_failed),
    vus: one.vus,
    iterationRate: perSecond(one.iterations),
    droppedRate: perSecond(one.dropped),
    receivedRate: perSecond(one.bytes),
  };
}

function trendOf(encoded: string | null): MeasuredTrend | null {
  return encoded === null ? null : mergeEncoded([encoded]);
}

function hasValues({ values }: LineChartFacts["lines"][number]): boolean {
  return values.some((value) => value !== null);
}

function durationChart(moments: readonly TimelineMoment[]): LineChartFacts {
  return {
    id: "durations",
    title: "Request duration",
    note: "percentiles of each interval",
    unit: "ms",
    lines: shownPercentiles.map((percentile, index) => ({
      label: `p${percentile}`,
      values: moments.map(({ durations }) => durations[index] ?? null),
    })),
  };
}

function requestChart(moments: readonly TimelineMoment[]): LineChartFacts {
  const lines = [{ label: "requests", values: moments.map(({ requestRate }) => requestRate) }];
  if (moments.some(({ failedRequestRate }) => failedRequestRate > 0))
    lines.push({ label: "failed", values: moments.map(({ failedRequestRate }) => failedRequestRate) });
  return { id: "requests", title: "Requests", note: "per second", unit: "per second", lines };
}

function virtualUserChart(moments: readonly TimelineMoment[]): LineChartFacts {
  return {
    id: "vus",
    title: "Virtual users",
    note: "at work",
    unit: "count",
    lines: [{ label: "virtual users", values: moments.map(({ vus }) => vus) }],
  };
}

function iterationChart(moments: readonly TimelineMoment[]): LineChartFacts {
  const lines = [{ label: "ended", values: moments.map(({ iterationRate }) => iterationRate) }];
  if (moments.some(({ droppedRate }) => droppedRate > 0))
    lines.push(
      { label: "due", values: moments.map((one) => one.iterationRate + one.droppedRate) },
      { label: "dropped", values: moments.map(({ droppedRate }) => droppedRate) },
    );
  return { id: "iterations", title: "Iterations", note: "per second", unit: "per second", lines };
}

function transferChart(moments: readonly TimelineMoment[]): LineChartFacts {
  return {
    id: "received",
    title: "Data received",
    note: "per second",
    unit: "bytes per second",
    lines: [{ label: "received", values: moments.map(({ receivedRate }) => receivedRate) }],
  };
}
