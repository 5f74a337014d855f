import { momentsOf, trendOf } from "@bearhug/metrics/run-curves";
import type { TestResult } from "@bearhug/sdk";
import type { RunCurves, RunMoment } from "@bearhug/sdk/result";
import { type MeasuredTrend, unitsPerMs } from "@bearhug/metrics/measured-trend";

import { gaugeCharts, type GaugeLine, gaugeLines } from "./monitor-data.ts";
import type { LineChartData, TimelineData, HeatMapData } from "./page-data.ts";

/**
 * Gathers the charts of a run over time, beside those of a base if there is one; null if it has no intervals.
 */
export function gatherTimeline(result: TestResult, base: RunCurves | null): TimelineData | null {
  const { intervals } = result;
  const durations = intervals.map(({ duration }) => trendOf(duration));
  const moments = momentsOf(intervals, durations);
  const timeline = gatherCharts(moments, base?.moments ?? [], gaugeLines(result));
  return timeline && { ...timeline, heatMap: gatherHeatMap(durations) };
}

/**
 * Gathers the charts of these moments, of those of a base, and of monitored gauges; null if there are no
 * moments.
 */
export function gatherCharts(
  moments: readonly RunMoment[],
  base: readonly RunMoment[] = [],
  gauges: readonly GaugeLine[] = [],
): TimelineData | null {
  if (moments.length === 0) return null;
  const places = alignBase(moments, base);
  const chartOf = ({ lines, ...chart }: Chart): LineChartData => {
    const shown = lines.filter(({ isShown }) => isShown === undefined || [...moments, ...base].some(isShown));
    return {
      ...chart,
      lines: [
        ...shown.map(({ label, pick }) => ({ label, values: places.map(({ own }) => own && pick(own)) })),
        ...(base.length === 0 ? [] : shown).map(({ label, pick }) => ({
          label: `base ${label}`,
          values: places.map((place) => place.base && pick(place.base)),
          isBase: true as const,
        })),
      ],
    };
  };
  // The places of the run come before those of the base alone.
  const aligned = (line: GaugeLine): GaugeLine => ({
    ...line,
    values: places.map((_, place) => line.values[place] ?? null),
  });
  return {
    seconds: places.map(({ atMs }) => atMs / 1000),
    charts: [...charts.map(chartOf), ...gaugeCharts(gauges.map(aligned))].filter(({ lines }) =>
      lines.some(hasValues),
    ),
    heatMap: null,
  };
}

function hasValues({ values }: LineChartData["lines"][number]): boolean {
  return values.some((value) => value !== null);
}

interface Chart extends Omit<LineChartData, "lines"> {
  readonly lines: readonly Line[];
}

interface Line {
  readonly label: string;
  readonly pick: (moment: RunMoment) => number | null;
  /**
   * True if a moment makes the line worth showing.
   * @default every moment does
   */
  readonly isShown?: (moment: RunMoment) => boolean;
}

const isDropping = ({ droppedRate }: RunMoment): boolean => droppedRate > 0;

const charts: readonly Chart[] = [
  {
    id: "durations",
    title: "Request duration",
    note: "percentiles of each interval",
    unit: "ms",
    lines: [
      { label: "p50", pick: ({ p50Ms }) => p50Ms },
      { label: "p95", pick: ({ p95Ms }) => p95Ms },
      { label: "p99", pick: ({ p99Ms }) => p99Ms },
    ],
  },
  {
    id: "requests",
    title: "Requests",
    note: "per second",
    unit: "per second",
    lines: [
      { label: "requests", pick: ({ requestRate }) => requestRate },
      {
        label: "failed",
        pick: ({ failedRequestRate }) => failedRequestRate,
        isShown: ({ failedRequestRate }) => failedRequestRate > 0,
      },
    ],
  },
  {
    id: "vus",
    title: "Virtual users",
    note: "at work",
    unit: "count",
    lines: [{ label: "virtual users", pick: ({ vus }) => vus }],
  },
  {
    id: "iterations",
    title: "Iterations",
    note: "per second",
    unit: "per second",
    lines: [
      { label: "ended", pick: ({ iterationRate }) => iterationRate },
      { label: "due", pick: (one) => one.iterationRate + one.droppedRate, isShown: isDropping },
      { label: "dropped", pick: ({ droppedRate }) => droppedRate, isShown: isDropping },
    ],
  },
  {
    id: "received",
    title: "Data received",
    note: "per second",
    unit: "bytes per second",
    lines: [{ label: "received", pick: ({ receivedRate }) => receivedRate }],
  },
];

/**
 * A place on the time axis that a run shares with a base: the end of its interval, and the moment of each.
 */
interface SharedPlace {
  readonly atMs: number;
  readonly own: RunMoment | null;
  readonly base: RunMoment | null;
}

/**
 * Aligns a base with a run by the time since each one's start. Intervals may have different lengths: each
 * interval of the run is paired with the base's interval that contains its middle. The base's intervals after
 * the end of the run follow.
 */
export function alignBase(moments: readonly RunMoment[], base: readonly RunMoment[]): SharedPlace[] {
  const middles = moments.map(({ atMs }, at) => (atMs + (moments[at - 1]?.atMs ?? 0)) / 2);
  const end = moments.at(-1)?.atMs ?? 0;
  let at = 0;
  const shared = moments.map((own, place): SharedPlace => {
    const middle = middles[place] ?? own.atMs;
    while (at < base.length && (base[at]?.atMs ?? 0) < middle) at++;
    return { atMs: own.atMs, own, base: base[at] ?? null };
  });
  const later = base.filter(({ atMs }, place) => (atMs + (base[place - 1]?.atMs ?? 0)) / 2 > end);
  return [...shared, ...later.map((one) => ({ atMs: one.atMs, own: null, base: one }))];
}

/** Rows of the map for each factor of ten. */
const rowsPerDecade = 8;
const mostRows = 48;

/** Gathers the distribution of durations in each interval; null if none was measured. */
function gatherHeatMap(durations: readonly (MeasuredTrend | null)[]): HeatMapData | null {
  const spreads = durations.map((trend) => (trend === null ? [] : spreadOf(trend)));
  const values = spreads.flat().map(([ms]) => ms);
  if (values.length === 0) return null;
  const [least, most] = values.reduce(
    ([low, high], ms) => [Math.min(low, ms), Math.max(high, ms)],
    [Infinity, 0],
  );
  const lowest = Math.floor(Math.log10(least) * rowsPerDecade);
  const highest = Math.floor(Math.log10(most) * rowsPerDecade);
  const perRow = Math.ceil((highest - lowest + 1) / mostRows);
  const rows = Math.ceil((highest - lowest + 1) / perRow);
  const rowOf = (ms: number): number =>
    Math.floor((Math.floor(Math.log10(ms) * rowsPerDecade) - lowest) / perRow);
  return {
    title: "Request durations over time",
    note: "The stronger the color, the more requests took this long.",
    boundsMs: Array.from({ length: rows + 1 }, (_, row) => 10 ** ((lowest + row * perRow) / rowsPerDecade)),
    cells: spreads.map((spread) => countRows(spread, rowOf)),
  };
}

/** Durations below one microsecond count as one. */
function spreadOf({ histogram }: MeasuredTrend): [ms: number, count: number][] {
  return histogram.ranges().map(({ highest, count }) => [Math.max(1, highest) / unitsPerMs, count]);
}

function countRows(
  spread: readonly (readonly [ms: number, count: number])[],
  rowOf: (ms: number) => number,
): [row: number, count: number][] {
  const counts = new Map<number, number>();
  for (const [ms, count] of spread) counts.set(rowOf(ms), (counts.get(rowOf(ms)) ?? 0) + count);
  return [...counts];
}
