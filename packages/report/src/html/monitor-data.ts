import { describeGauge, readGaugeName } from "@bearhug/metrics/gauge-name";
import type { IntervalSnapshot, TestResult } from "@bearhug/sdk";
import type { MetricUnit } from "@bearhug/sdk/result";

import { gaugesOf } from "../model/monitors.ts";
import type { ChartUnit, LineChartData } from "./page-data.ts";

/** A monitored gauge over the moments of a run: null for a moment without a reading. */
export interface GaugeLine {
  readonly metric: string;
  readonly unit: MetricUnit;
  readonly values: readonly (number | null)[];
}

/** Returns the monitored gauges of a run that has ended. */
export function gaugeLines(result: Pick<TestResult, "monitors">): GaugeLine[] {
  return gaugesOf(result).map(({ metric, unit, points }) => ({ metric, unit, values: points }));
}

/** Returns the monitored gauges in the snapshots of a running test. */
export function liveGaugeLines(snapshots: readonly Pick<IntervalSnapshot, "monitors">[]): GaugeLine[] {
  const lines = new Map<string, { unit: MetricUnit; values: (number | null)[] }>();
  for (const [at, { monitors = [] }] of snapshots.entries()) {
    for (const { metric, unit, value } of monitors.flatMap(({ gauges }) => gauges)) {
      const line = lines.get(metric) ?? { unit, values: snapshots.map(() => null) };
      lines.set(metric, line);
      line.values[at] = value;
    }
  }
  return Array.from(lines, ([metric, line]) => ({ metric, ...line }));
}

const chartUnits = {
  ms: "ms",
  bytes: "bytes",
  "bytes/s": "bytes per second",
  "/s": "per second",
  "%": "percent",
} as const;

/** Makes a chart of each gauge, with a line for each monitor that reads it. */
export function gaugeCharts(lines: readonly GaugeLine[]): LineChartData[] {
  const byGauge = Map.groupBy(lines, ({ metric, unit }) => `${gaugeOf(metric)} ${unit ?? ""}`);
  return [...byGauge.values()].flatMap((same) => {
    const [first] = same;
    if (first === undefined) return [];
    const gauge = gaugeOf(first.metric);
    return [
      {
        id: `monitor-${gauge}`,
        title: same.length === 1 ? first.metric : gauge,
        note: noteOf(first.metric),
        unit: chartUnitOf(first.unit),
        lines: same.map(({ metric, values }) => ({ label: monitorOf(metric), values })),
      },
    ];
  });
}

function gaugeOf(metric: string): string {
  return readGaugeName(metric)?.gauge ?? metric;
}

function monitorOf(metric: string): string {
  return readGaugeName(metric)?.monitor ?? metric;
}

/** Returns the chart unit of values in a metric's unit. */
export function chartUnitOf(unit: MetricUnit): ChartUnit {
  return unit === null ? "count" : chartUnits[unit];
}

function noteOf(metric: string): string {
  const description = describeGauge(metric) ?? "";
  return description.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase()).replace(/\.$/, "");
}
