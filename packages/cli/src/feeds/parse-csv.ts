import type { CsvOptions } from "@bearhug/sdk";
import { closestName } from "@bearhug/sdk/internal";
import { Parser } from "csv-parse";

import type { CsvFeed, SharedBytes } from "../protocol/shared-feeds.ts";
import { CsvScanner, type QuoteMistake } from "./csv-scanner.ts";
import { LineNumbers, type RowProblems } from "./row-problems.ts";
import { RowStartsWriter, type IndexedRows } from "./row-starts.ts";

/**
 * Finds the rows of a CSV file (RFC 4180), and everything that is wrong with them. `file` is how problems name the file. Null
 * if the header cannot be used.
 */
export function indexCsv(
  bytes: SharedBytes,
  file: string,
  { columns: wanted = [], header: hasHeader = true, delimiter = "," }: CsvOptions,
  problems: RowProblems,
): IndexedRows<CsvFeed> | null {
  const scanner = new CsvScanner(bytes, delimiter);
  const { rowEnd } = scanner;
  const lines = new LineNumbers(bytes);
  const addProblem = (offset: number, message: string): void => {
    problems.add(() => `${file}:${lines.at(offset)}`, message);
  };
  let columns = wanted;
  if (hasHeader && scanner.advance()) {
    if (scanner.mistake !== null) {
      addProblem(scanner.mistake.offset, sentences[scanner.mistake.kind]);
      return null;
    }
    columns = readHeader(bytes.subarray(scanner.start, scanner.end), { columns: null, delimiter, rowEnd });
    const found = otherDelimiter(columns, delimiter) ?? validateHeader(columns, wanted);
    for (const message of found) addProblem(scanner.start, message);
    if (found.length > 0) return null;
  }
  const starts = new RowStartsWriter(bytes.length);
  const wrong = new Set<number>();
  while (scanner.advance()) {
    const { start, mistake, fields } = scanner;
    if (mistake !== null) addProblem(mistake.offset, sentences[mistake.kind]);
    else if (fields !== columns.length) addProblem(start, describeLength(fields, columns.length));
    if (mistake !== null || fields !== columns.length) wrong.add(starts.count);
    starts.add(start);
  }
  const feed: CsvFeed = {
    format: "csv",
    bytes,
    starts: starts.finish(bytes.length),
    delimiter,
    rowEnd,
    columns,
  };
  return { feed, wrong };
}

function readHeader(bytes: Uint8Array, dialect: CsvDialect): string[] {
  const header = csvRowReader(dialect)(bytes);
  return Array.isArray(header) ? header.map(String) : [];
}

/** Reads the bytes of one row that {@link CsvScanner} found to be well-formed. Empty lines may follow it. */
type ReadCsvRow = (bytes: Uint8Array) => unknown;

/**
 * Reads rows as objects by their columns, or as lists of fields if `columns` is null. One parser serves all rows: to set up
 * one for each row takes ten times as long as to parse it.
 */
export function csvRowReader({ columns, delimiter, rowEnd }: CsvDialect): ReadCsvRow {
  let last: unknown = null;
  const parser = new Parser({
    delimiter,
    record_delimiter: rowEnd === "\r" ? ["\r"] : ["\r\n", "\n"],
    skip_empty_lines: true,
    columns: columns === null ? false : [...columns],
    on_record: (row: unknown) => {
      last = row;
      return null;
    },
  });
  // The parser looks some bytes ahead. These it skips as empty lines when the next row comes.
  const lookahead = Buffer.from(rowEnd.repeat(4));
  return (bytes) => {
    last = null;
    // A transform stream calls `on_record` before `write` returns, as long as nothing is pushed.
    parser.write(Buffer.concat([bytes, lookahead]));
    return last;
  };
}

/** How a CSV is to be read. */
interface CsvDialect extends Pick<CsvFeed, "delimiter" | "rowEnd"> {
  readonly columns: readonly string[] | null;
}

/** In our words, what people meet in files of their own. */
const sentences: Readonly<Record<QuoteMistake["kind"], string>> = {
  "text-after-quote":
    'there is text after the closing quote of a field. Write a quote inside a field as two: "".',
  "quote-in-unquoted":
    "an unquoted field contains a quote. Quote the whole field, and write the quote inside as two.",
  "never-closed": "a quoted field begins here and does not end: a closing quote is missing.",
};

function describeLength(fields: number, columns: number): string {
  const has = `${fields} ${fields === 1 ? "field" : "fields"}`;
  const wanted = columns === 1 ? "there is 1 column" : `there are ${columns} columns`;
  return `the row has ${has}, but ${wanted}.`;
}

/** A header line in one piece that holds what spreadsheets put between fields. */
function otherDelimiter(header: readonly string[], delimiter: string): readonly string[] | null {
  const [only = "", ...others] = header;
  const meant = [";", "\t", ","].find((one) => one !== delimiter && only.includes(one));
  if (others.length > 0 || meant === undefined) return null;
  const [is, mustBe] = [only, meant].map((text) => JSON.stringify(text));
  return [
    `the header line is one column, ${is}. If its fields are separated by ${mustBe}, set delimiter: ${mustBe}.`,
  ];
}

function validateHeader(header: readonly string[], wanted: readonly string[]): string[] {
  const problems: string[] = [];
  if (header.includes("")) problems.push("a column has no name.");
  const repeated = new Set(header.filter((name, index) => name !== "" && header.indexOf(name) !== index));
  for (const name of repeated) problems.push(`two columns are called ${JSON.stringify(name)}.`);
  for (const name of wanted) {
    if (header.includes(name)) continue;
    const closest = closestName(name, header);
    const remedy =
      closest === undefined ? `It has ${header.join(", ")}.` : `Did you mean ${JSON.stringify(closest)}?`;
    problems.push(`there is no column ${JSON.stringify(name)}. ${remedy}`);
  }
  return problems;
}
