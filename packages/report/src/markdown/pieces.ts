import { type Cell, type Column, type Details, empty, type Table } from "../model/table.ts";
import { code, codeBlock, inCell, words } from "./escape-markdown.ts";

export function section(title: string, pieces: readonly string[]): string[] {
  return pieces.length === 0 ? [] : [`\n### ${title}\n\n`, ...pieces];
}

export function item(markdown: string): string {
  return `- ${markdown}\n`;
}

/** Returns sentences that may quote external text as list items. */
export function items(sentences: readonly string[]): string[] {
  return sentences.map((sentence) => item(words(sentence)));
}

/** The sign of each tone. */
export const signs = { good: "✅", bad: "❌", warning: "➖", plain: "" } as const;

/** A column for the details of a row. */
interface DetailsColumn {
  readonly title: string;
  readonly write: (details: Details) => string;
}

/** Returns a table in its section; empty if it has no rows. */
export function tableSection(model: Table, details?: DetailsColumn): string[] {
  return section(model.title, table(model, details));
}

export function table({ columns, rows }: Pick<Table, "columns" | "rows">, details?: DetailsColumn): string[] {
  const shown = columns.flatMap((column, at) => (column.isExtra === true ? [] : [{ column, at }]));
  const more = details === undefined ? [] : [details];
  return grid(
    [...shown.map(({ column }) => titleOf(column)), ...more.map(({ title }) => title)],
    rows.map(({ cells, details: rowDetails }) => [
      ...shown.map(({ column, at }) => writeCell(cells[at] ?? empty, column)),
      ...more.map(({ write }) => (rowDetails === undefined ? "" : write(rowDetails))),
    ]),
    shown.map(({ column }) => column.kind === "number"),
  );
}

/** Returns a Markdown table; empty if it has no rows. */
export function grid(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  areNumbers: readonly boolean[] = [],
): string[] {
  if (rows.length === 0) return [];
  const line = (cells: readonly string[]): string => `| ${cells.map(inCell).join(" | ")} |\n`;
  const rule = titles.map((_, at) => (areNumbers[at] === true ? "---:" : "---"));
  return [line(titles) + line(rule), ...rows.map(line)];
}

function titleOf({ title, kind, unit }: Column): string {
  if (kind === "sign" || kind === "answer") return "";
  return words(unit === undefined ? title : `${title} ${unit}`);
}

function writeCell(cell: Cell, { kind }: Column): string {
  const { text, tone = "plain", aside } = cell;
  if (kind === "sign") return signs[tone];
  if (cell === empty) return "";
  if (kind === "answer") return `${signs[tone]} ${text}`;
  const shown = kind === "name" ? code(text) : text;
  return aside === undefined ? shown : `${shown} ${aside}`.trim();
}

/** Returns a sentence with the place where an exception was thrown, and the lines of source around it. */
export function example(markdown: string, { place, frame }: Details): string {
  const at = place === null ? "" : ` at ${code(place)}`;
  return `\n${markdown}${at}\n${frame === undefined ? "" : `\n${codeBlock(frame)}`}`;
}
