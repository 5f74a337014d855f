import { type TrendFigure, trendFigures } from "@bearhug/metrics/thresholds/threshold-language";
import type { MetricResult } from "@bearhug/sdk";
import type { MetricUnit } from "@bearhug/sdk/result";
import { formatBytes } from "@bearhug/text/bytes";
import { formatMilliseconds } from "@bearhug/text/duration";
import { formatNumber, markLowerBound } from "@bearhug/text/number";
import { formatPercent } from "@bearhug/text/percent";

import { type Cell, type Column, countCell, empty, valueCell } from "./table.ts";

type Metric = MetricResult | undefined;

/** Returns a cell with the sum of a counter, or the number of a trend's samples. */
export function countOf(metric: Metric): Cell {
  return countCell(metric !== undefined && "count" in metric.values ? metric.values.count : 0);
}

/** Returns a cell with a share of failures. */
export function failuresOf(metric: Metric): Cell {
  if (metric?.type !== "rate") return empty;
  const cell = valueCell(metric.values.rate, formatPercent);
  return metric.values.rate > 0 ? { ...cell, tone: "bad" } : cell;
}

/** A figure of a trend with its title in tables. */
interface Statistic extends Pick<Column, "title" | "keep" | "isExtra"> {
  readonly key: TrendFigure | `p(${number})`;
}

/** Only the HTML page has room for the extra ones in a table with other columns. */
const placedStatistics: readonly Statistic[] = [
  { title: "min", key: "min", keep: 1, isExtra: true },
  { title: "avg", key: "avg", keep: 4, isExtra: true },
  { title: "med", key: "med", keep: 3 },
  { title: "p90", key: "p(90)", keep: 2, isExtra: true },
  { title: "p95", key: "p(95)" },
  { title: "p99", key: "p(99)", keep: 6 },
  { title: "max", key: "max", keep: 5 },
];

const statistics: readonly Statistic[] = [
  ...placedStatistics,
  ...trendFigures
    .filter((figure) => !placedStatistics.some(({ key }) => key === figure))
    .map((figure): Statistic => ({ title: figure, key: figure, isExtra: true })),
];

/** The columns of a trend's figures. Only the HTML page shows all of them. */
export const trendColumns: readonly Column[] = statistics.map(({ key: _, ...column }): Column => ({
  ...column,
  kind: "number",
  unit: "ms",
}));

/** The same columns for a table without other figures, which has room for all of them in every format. */
export const allTrendColumns: readonly Column[] = trendColumns.map(({ isExtra: _, ...column }) => column);

/** Returns the figures of a trend, one for each of {@link trendColumns}; blank if there is no trend. */
export function trendCells(metric: Metric): Cell[] {
  if (metric?.type !== "trend") return statistics.map(() => empty);
  const { unit, lowerBounds = [] } = metric;
  // A saved result of an earlier version lacks the figures that were added since.
  const values: Readonly<Partial<Record<string, number>>> = { ...metric.values };
  return statistics.map(({ key }) =>
    valueCell(values[key], (value) => markLowerBound(formatFigure(value, unit), lowerBounds.includes(key))),
  );
}

function formatFigure(value: number, unit: MetricUnit): string {
  if (unit === "ms") return formatMilliseconds(value);
  return unit === "bytes" ? formatBytes(value) : formatNumber(value);
}
