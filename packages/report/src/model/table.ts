import { writePosition } from "@bearhug/metrics/results/source-position";
import type { ErrorResult } from "@bearhug/sdk";
import { formatDuration } from "@bearhug/text/duration";
import { formatCount } from "@bearhug/text/number";

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

export function durationCell(ms: number | null): Cell {
  return valueCell(ms, formatDuration);
}
