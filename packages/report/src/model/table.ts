import { writePosition } from "@bearhug/metrics/results/source-position";
import { type TrendFigure, trendFigures } from "@bearhug/metrics/thresholds/threshold-language";
import type { ErrorResult, MetricResult } from "@bearhug/sdk";
import type { MetricUnit } from "@bearhug/sdk/result";
import { formatBytes } from "@bearhug/text/bytes";
import { formatDuration, formatMilliseconds } from "@bearhug/text/duration";
import { markLowerBound, formatCount, formatNumber } from "@bearhug/text/number";
import { formatPercent } from "@bearhug/text/percent";

/** How good a value is. Each output format shows it as a color or a sign. */
export type Tone = "good" | "bad" | "warning" | "plain";

/**
 * `name`: external texts; `text`, `number`: texts that bearhug wrote; `answer`: a word with its tone; `sign`:
 * a tone, which only the HTML page spells out.
 */
type ColumnKind = "name" | "text" | "number" | "answer" | "sign";

export interface Column {
  readonly title: string;
  readonly kind: ColumnKind;
  /** Columns with the lowest number are dropped first when room is short. Columns without a number stay. */
  readonly keep?: number;
  /** True for a column that only the HTML page has room for. */
  readonly isExtra?: boolean;
  /** The width to which its texts may be truncated before columns are dropped. */
  readonly preferredMinWidth?: number;
  /** True for texts that matter less than the others. */
  readonly isFaint?: boolean;
  /** The unit of figures that are written without one. */
  readonly unit?: "ms";
}

export interface Cell {
  readonly text: string;
  /** The sort key; absent for a text, which is its own. */
  readonly value?: number;
  readonly tone?: Tone;
  /** A remark after the text, such as the interval of a figure. It is dropped first when room is short. */
  readonly aside?: string;
}

/** Details of a row that have no column. */
export interface Details {
  readonly sentences: readonly string[];
  /** The file and the line of the test. */
  readonly place: string | null;
  /** Lines of the test's source. */
  readonly frame?: string;
}

export interface Row {
  readonly cells: readonly Cell[];
  readonly details?: Details;
}

/** A table of a report, formatted for people. It is left out if it has no rows. */
export interface Table {
  readonly id: string;
  readonly title: string;
  /** The meaning of its figures. */
  readonly note: string;
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  /** The number of rows that were left out, because the report has no room for them. @default 0 */
  readonly leftOut?: number;
}

type Metric = MetricResult | undefined;

export function name(title: string): Column {
  return { title, kind: "name" };
}

export function text(title: string): Column {
  return { title, kind: "text" };
}

export function number(title: string, keep?: number): Column {
  return { title, kind: "number", ...(keep !== undefined && { keep }) };
}

/** Returns a column of tones. Only the HTML page writes their words too. */
export function sign(title: string): Column {
  return { title, kind: "sign" };
}

/** Returns the outcome of a threshold or a check. */
export function outcomeCell(passed: boolean | null): Cell {
  if (passed === null) return { text: "not judged", tone: "warning" };
  return passed ? { text: "passed", tone: "good" } : { text: "failed", tone: "bad" };
}

/** Returns the details of an exception or failure: its message, where it was thrown, the code around it. */
export function detailsOf({
  message,
  source,
  frame,
}: Pick<ErrorResult, "message" | "source" | "frame">): Details {
  return {
    sentences: [message],
    place: source ? writePosition(source) : null,
    ...(frame && { frame }),
  };
}

export const empty: Cell = { text: "" };

/** Returns a cell of a figure that may be missing. */
export function valueCell(value: number | null | undefined, format: (value: number) => string): Cell {
  return value === null || value === undefined ? empty : { text: format(value), value };
}

export function countCell(value: number): Cell {
  return { text: formatCount(value), value };
}

/** Returns a cell of a count that is bad unless it is 0. */
export function badCountCell(value: number): Cell {
  return value > 0 ? { ...countCell(value), tone: "bad" } : countCell(value);
}

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

export function durationCell(ms: number | null): Cell {
  return valueCell(ms, formatDuration);
}
