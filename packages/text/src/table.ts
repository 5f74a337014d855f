import { cut, displayWidth, shorten } from "./display-width.ts";

export interface Column {
  readonly title: string;
  /** Numbers are aligned to the right. @default "left" */
  readonly align?: "left" | "right";
  /** True if long texts may be shortened, in the middle or at the end, to make the table fit. */
  readonly shrinks?: boolean | "atEnd";
  /** The width down to which its texts are shortened before columns are left out. @default 24 */
  readonly preferredMinWidth?: number;
  /**
   * If the table is still too wide, columns with the lowest number are left out first. Columns
   * without a number stay.
   */
  readonly keep?: number;
}

export interface Cell {
  readonly text: string;
  /** Colours the text after its layout. */
  readonly paint?: (text: string) => string;
}

export type Row = readonly (Cell | string)[];

export interface TableLayout {
  readonly width: number;
  readonly ellipsis: string;
  /** Spaces before each line. */
  readonly indent: number;
  readonly paintTitle: (text: string) => string;
}

const gap = 2;
/**
 * A name shorter than this is hard to distinguish from others: columns are left out before names get shorter.
 */
const comfortable = (column: Column): number => column.preferredMinWidth ?? 24;
/**
 * A name shorter than this means nothing: it is not shortened further, even if the table is then too wide.
 */
const readable = (): number => 6;

/** Returns the width below which a column is not shortened. */
type MinWidth = (column: Column) => number;

/** Renders lines of aligned columns, none wider than `width` if the columns that must stay allow that. */
export function renderTable(columns: readonly Column[], rows: readonly Row[], layout: TableLayout): string[] {
  const cells = rows.map((row) => row.map(toCell));
  const shown = chooseColumns(columns, cells, layout.width - layout.indent);
  const line = (row: readonly Cell[]): string => {
    const texts = shown.map(({ index, column, width }) =>
      renderCell(row[index] ?? { text: "" }, column, width, layout.ellipsis),
    );
    return " ".repeat(layout.indent) + texts.join(" ".repeat(gap)).trimEnd();
  };
  const titles = columns.map(({ title }) => ({ text: title, paint: layout.paintTitle }));
  const lines = cells.map(line);
  return columns.some(({ title }) => title !== "") ? [line(titles), ...lines] : lines;
}

interface ShownColumn {
  readonly index: number;
  readonly column: Column;
  readonly width: number;
}

function chooseColumns(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  room: number,
): ShownColumn[] {
  let shown = columns.map((column, index) => ({ index, column, width: naturalWidth(column, index, rows) }));
  for (;;) {
    const excess = totalWidth(shown) - room;
    if (excess <= 0) return shown;
    if (excess <= spare(shown, comfortable)) return shrink(shown, excess, comfortable);
    const first = firstToLeaveOut(shown);
    if (first === undefined) return shrink(shown, excess, readable);
    shown = shown.filter((candidate) => candidate !== first);
  }
}

function naturalWidth({ title }: Column, index: number, rows: readonly (readonly Cell[])[]): number {
  return rows.reduce(
    (widest, row) => Math.max(widest, displayWidth(row[index]?.text ?? "")),
    displayWidth(title),
  );
}

function totalWidth(shown: readonly ShownColumn[]): number {
  return shown.reduce((sum, { width }) => sum + width, gap * Math.max(0, shown.length - 1));
}

function spareOf({ column, width }: ShownColumn, least: MinWidth): number {
  return column.shrinks ? Math.max(0, width - Math.max(least(column), displayWidth(column.title))) : 0;
}

function spare(shown: readonly ShownColumn[], least: MinWidth): number {
  return shown.reduce((sum, column) => sum + spareOf(column, least), 0);
}

/** Takes `excess` from the widest of the columns that shrink, one column of the terminal at a time. */
function shrink(shown: readonly ShownColumn[], excess: number, least: MinWidth): ShownColumn[] {
  const result = [...shown];
  for (let left = excess; left > 0; left -= 1) {
    const widest = result.reduce((best, column) =>
      spareOf(column, least) > spareOf(best, least) ? column : best,
    );
    if (spareOf(widest, least) === 0) break;
    result[result.indexOf(widest)] = { ...widest, width: widest.width - 1 };
  }
  return result;
}

function firstToLeaveOut(shown: readonly ShownColumn[]): ShownColumn | undefined {
  const optional = shown.filter(({ column }) => column.keep !== undefined);
  return optional.toSorted((a, b) => (a.column.keep ?? 0) - (b.column.keep ?? 0))[0];
}

function toCell(cell: Cell | string): Cell {
  return typeof cell === "string" ? { text: cell } : cell;
}

function renderCell(
  { text, paint }: Cell,
  { align, shrinks }: Column,
  width: number,
  ellipsis: string,
): string {
  const short = shrinks === "atEnd" ? cut(text, width, ellipsis) : shorten(text, width, ellipsis);
  const padding = " ".repeat(Math.max(0, width - displayWidth(short)));
  const painted = paint && short !== "" ? paint(short) : short;
  return align === "right" ? padding + painted : painted + padding;
}
