import { formatCount } from "@bearhug/text/number";
import type { Cell as PlacedCell, Column as PlacedColumn } from "@bearhug/text/table";

import { type Cell, type Column, empty, type Row, type Table } from "../model/table.ts";
import type { Style } from "./style.ts";

interface TableOptions {
  /** The most rows to show; the others are counted. @default all */
  readonly most?: number;
  /** False for a table whose rows explain themselves. @default true */
  readonly isTitled?: boolean;
  /** Returns lines to show below a row. */
  readonly below?: (row: Row, at: number) => string[];
}

/** Renders a table below its heading; empty if it has no rows. */
export function tableSection(table: Table, style: Style, options: TableOptions = {}): string[] {
  if (table.rows.length === 0) return [];
  return [style.heading(table.title, table.note), ...tableLines(table, style, options)];
}

/** Returns the lines of a table; empty if it has no rows. */
export function tableLines(
  { columns, rows, leftOut = 0 }: Pick<Table, "columns" | "rows" | "leftOut">,
  style: Style,
  { most = Infinity, isTitled = true, below = () => [] }: TableOptions = {},
): string[] {
  if (rows.length === 0) return [];
  const shown = rows.slice(0, most);
  const places = columns.flatMap((column, at) =>
    column.isExtra === true
      ? []
      : [{ column, at, hasAside: column.kind === "number" && rows.some(({ cells }) => cells[at]?.aside) }],
  );
  const lines = style.table(
    places.flatMap(({ column, hasAside }, at) => [
      placeColumn(column, isTitled && (column.kind !== "name" || at > 0)),
      ...(hasAside ? [{ title: "", keep: 1 }] : []),
    ]),
    shown.map(({ cells }) =>
      places.flatMap(({ column, at, hasAside }) => {
        const cell = cells[at] ?? empty;
        const aside = cell.aside?.replace("–", style.symbols.to) ?? "";
        return [placeCell(cell, column, style), ...(hasAside ? [aside] : [])];
      }),
    ),
  );
  const titles = lines.splice(0, lines.length - shown.length);
  return [
    ...titles,
    ...shown.flatMap((row, at) => [lines[at] ?? "", ...below(row, at)]),
    ...renderMore(leftOut + rows.length - shown.length, style),
  ];
}

/** Lays out a column. Names at the start of a row need no title, so `isTitled` is false for them. */
function placeColumn({ title, kind, keep, preferredMinWidth }: Column, isTitled: boolean): PlacedColumn {
  return {
    title: isTitled && kind !== "sign" && kind !== "answer" ? title : "",
    align: kind === "number" ? "right" : "left",
    shrinks: kind === "name",
    ...(keep !== undefined && { keep }),
    ...(preferredMinWidth !== undefined && { preferredMinWidth }),
  };
}

/** The symbol of each tone. */
export const signs = { good: "passed", bad: "failed", warning: "unknown", plain: "dot" } as const;

function placeCell({ text, tone = "plain" }: Cell, { kind, isFaint }: Column, style: Style): PlacedCell {
  const shown = kind === "name" ? style.text(text) : kind === "sign" ? style.symbols[signs[tone]] : text;
  return {
    text: shown,
    paint: isFaint === true || (kind === "sign" && tone === "plain") ? style.faint : style[tone],
  };
}

/** Renders sentences as a list. */
export function listLines(sentences: readonly string[], style: Style): string[] {
  return sentences.flatMap((sentence) =>
    style.paragraph(style.text(sentence), { lead: `${style.symbols.dot} ` }),
  );
}

/** Renders sentences that a reader must not miss. */
export function warningLines(sentences: readonly string[], style: Style): string[] {
  return sentences.flatMap((sentence) =>
    style.paragraph(style.text(sentence), { lead: `${style.symbols.warning} `, paint: style.warning }),
  );
}

/** Renders how many rows a list leaves out; empty if it leaves out none. */
export function renderMore(leftOut: number, style: Style): string[] {
  return leftOut > 0
    ? [`  ${style.faint(`${style.symbols.ellipsis} and ${formatCount(leftOut)} more`)}`]
    : [];
}
