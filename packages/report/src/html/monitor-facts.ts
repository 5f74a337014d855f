import type { IntervalSnapshot, TestResult } from "@bearhug/sdk";
import { describeGauge, readGaugeName, type MetricUnit } from "@bearhug/sdk/internal";

import { gaugesOf } from "../model/monitors.ts";
import type { ChartUnit, LineChartFacts } from "./page-facts.ts";

/** A monitored gauge over the moments of a run: null where it was not read. */
export interface GaugeLine {
  readonly metric: string;
  readonly unit: MetricUnit;
  readonly values: readonly (number | null)[];
}

/** The monitored gauges of a run that has ended. */
export function gaugeLines(result: Pick<TestResult, "monitors">): GaugeLine[] {
  return gaugesOf(result).map(({ metric, unit, points }) => ({ metric, unit, values: points }));
}

/** The monitored gauges in snapshots of a run that goes on. */
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

/** A chart of each gauge, with a line for each monitor that has it. */
export function gaugeCharts(lines: readonly GaugeLine[]): LineChartFacts[] {
  const byGauge = new Map<string, GaugeLine[]>();
  for (const line of lines) {
    const key = `${gaugeOf(line.metric)} ${line.unit ?? ""}`;
    byGauge.set(key, [...(byGauge.get(key) ?? []), line]);
  }
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

/** The unit of a chart for values in this one. */
export function chartUnitOf(unit: MetricUnit): ChartUnit {
  return unit === null ? "count" : chartUnits[unit];
}

function noteOf(metric: string): string {
  const description = describeGauge(metric) ?? "";
  return description.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase()).replace(/\.$/, "");
}
