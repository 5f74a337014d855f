import type { CsvOptions } from "@bearhug/sdk";
import { closestName } from "@bearhug/text/closest-name";
import { formatCounted } from "@bearhug/text/number";
import { Parser } from "csv-parse";

import type { CsvFeed, SharedBytes } from "../protocol/shared-feeds.ts";
import { CsvScanner, type QuoteMistake } from "./csv-scanner.ts";
import { LineNumbers, type RowProblems } from "./row-problems.ts";
import { RowStartsWriter, type IndexedRows } from "./row-starts.ts";

/**
 * Finds the rows of a CSV file (RFC 4180), and all mistakes in them. `file` is the name of the file in
 * problems. Returns null if the header cannot be used.
 */
export function indexCsv(
  bytes: SharedBytes,
  file: string,
  options: CsvOptions,
  problems: RowProblems,
): IndexedRows<CsvFeed> | null {
  const lines = new LineNumbers(bytes);
  const addProblem = (offset: number, message: string): void =>
    problems.add(() => `${file}:${lines.at(offset)}`, message);
  const separator = readSeparatorLine(bytes);
  const delimiter = options.delimiter ?? separator?.delimiter ?? ",";
  if (separator !== null && delimiter !== separator.delimiter) {
    const [declared, set] = [separator.delimiter, delimiter].map((text) => JSON.stringify(text));
    addProblem(
      0,
      `this line says that ${declared} separates fields, but the test sets delimiter: ${set}. Leave it out.`,
    );
    return null;
  }
  const scanner = new CsvScanner(bytes, delimiter, separator?.length);
  const { rowEnd } = scanner;
  const wanted = options.columns ?? [];
  let fields: readonly (string | null)[] = wanted;
  if (options.header !== false && scanner.advance()) {
    if (scanner.mistake !== null) {
      addProblem(scanner.mistake.offset, sentences[scanner.mistake.kind]);
      return null;
    }
    const header = readHeader(bytes.subarray(scanner.start, scanner.end), {
      fields: null,
      delimiter,
      rowEnd,
    });
    const found = otherDelimiter(header, delimiter) ?? validateHeader(header, wanted);
    for (const message of found) addProblem(scanner.start, message);
    if (found.length > 0) return null;
    fields = header.map((name) => (name === "" ? null : name));
  }
  const starts = new RowStartsWriter(bytes.length);
  const wrong = new Set<number>();
  const add = (start: number, found: number, text: () => string): void => {
    if (found !== fields.length) {
      addProblem(start, describeLength(found, fields.length, delimiter, text));
      wrong.add(starts.count);
    }
    starts.add(start);
  };
  /**
   * Spreadsheets end files with rows of nothing but delimiters: they count as rows only if
   * another row follows.
   */
  let bare: [start: number, fields: number][] = [];
  while (scanner.advance()) {
    const { start, end, mistake } = scanner;
    if (mistake === null && scanner.hasOnlyDelimiters) {
      bare.push([start, scanner.fields]);
      continue;
    }
    for (const [bareStart, found] of bare) add(bareStart, found, () => "");
    bare = [];
    if (mistake === null)
      add(start, scanner.fields, () => Buffer.from(bytes.subarray(start, end)).toString());
    else addProblem(mistake.offset, sentences[mistake.kind]);
  }
  const columns = fields.filter((name) => name !== null);
  const end = bare[0]?.[0] ?? (scanner.mistake === null ? bytes.length : scanner.start);
  return {
    feed: { format: "csv", bytes, starts: starts.finish(end), delimiter, rowEnd, fields, columns },
    wrong,
  };
}

/** Reads the first line that tells Excel which delimiter separates fields: `sep=;`. */
function readSeparatorLine(
  bytes: Uint8Array,
): { readonly delimiter: string; readonly length: number } | null {
  const text = Buffer.from(bytes.subarray(0, longestSeparatorLine)).toString();
  const [line, delimiter] = /^"?sep=(.)"?(?:\r\n|\n|\r|$)/iu.exec(text) ?? [];
  return line === undefined || delimiter === undefined
    ? null
    : { delimiter, length: Buffer.byteLength(line) };
}

const longestSeparatorLine = 16;

function readHeader(bytes: Uint8Array, dialect: CsvDialect): string[] {
  const header = csvRowReader(dialect)(bytes);
  return Array.isArray(header) ? header.map(String) : [];
}

/** Reads the bytes of one row that {@link CsvScanner} found to be well-formed. Empty lines may follow it. */
type ReadCsvRow = (bytes: Uint8Array) => unknown;

/**
 * Reads rows as objects by the names of their fields, or as lists if `fields` is null. One parser serves all
 * rows: setting up one for each row takes ten times as long as parsing it.
 */
export function csvRowReader({ fields, delimiter, rowEnd }: CsvDialect): ReadCsvRow {
  let last: unknown = null;
  const parser = new Parser({
    delimiter,
    record_delimiter: rowEnd === "\r" ? ["\r"] : ["\r\n", "\n"],
    skip_empty_lines: true,
    columns: fields === null ? false : [...fields],
    on_record: (row: unknown) => {
      last = row;
      return null;
    },
  });
  // The parser looks a few bytes ahead. It skips these bytes as empty lines when the next row arrives.
  const lookahead = Buffer.from(rowEnd.repeat(4));
  return (bytes) => {
    last = null;
    // A transform stream calls `on_record` before `write` returns, as long as nothing is pushed.
    parser.write(Buffer.concat([bytes, lookahead]));
    return last;
  };
}

/** The format of a CSV. */
interface CsvDialect extends Pick<CsvFeed, "delimiter" | "rowEnd"> {
  readonly fields: CsvFeed["fields"] | null;
}

/** Explanations of mistakes that are common in users' files. */
const sentences: Readonly<Record<QuoteMistake["kind"], string>> = {
  "text-after-quote":
    'there is text after the closing quote of a field. Write a quote inside a field as two: "".',
  "quote-in-unquoted":
    "an unquoted field contains a quote. Quote the whole field, and write the quote inside as two.",
  "never-closed": "a quoted field begins here and does not end: a closing quote is missing.",
};

function describeLength(fields: number, columns: number, delimiter: string, text: () => string): string {
  const wanted = columns === 1 ? "there is 1 column" : `there are ${columns} columns`;
  return `the row has ${formatCounted(fields, "field")}, but ${wanted}.${lengthRemedy(fields, columns, delimiter, text)}`;
}

function lengthRemedy(fields: number, columns: number, delimiter: string, text: () => string): string {
  if (fields > columns) return ` Quote a field that contains ${JSON.stringify(delimiter)}.`;
  const likelyDelimiter = fields === 1 ? delimiterIn(text(), delimiter) : undefined;
  return likelyDelimiter === undefined
    ? ""
    : ` If its fields are separated by ${likelyDelimiter}, set delimiter: ${likelyDelimiter}.`;
}

/** Returns another character that may separate fields, in quotes; undefined if there is none. */
function delimiterIn(text: string, delimiter: string): string | undefined {
  const found = [";", "\t", "|", ","].find((one) => one !== delimiter && text.includes(one));
  return found === undefined ? undefined : JSON.stringify(found);
}

/**
 * Returns the problem of a header with only one column that contains the delimiter of other files;
 * null if there is none.
 */
function otherDelimiter(header: readonly string[], delimiter: string): readonly string[] | null {
  const [only = "", ...others] = header;
  const likelyDelimiter = delimiterIn(only, delimiter);
  if (others.length > 0 || likelyDelimiter === undefined) return null;
  return [
    `the header line is one column, ${JSON.stringify(only)}. If its fields are separated by ${likelyDelimiter}, set delimiter: ${likelyDelimiter}.`,
  ];
}

function validateHeader(header: readonly string[], wanted: readonly string[]): string[] {
  const problems: string[] = [];
  // pandas leaves the column of its index without a name, and spreadsheets leave unnamed
  // columns after the last one.
  const last = header.findLastIndex((name) => name !== "");
  if (last === -1) problems.push("no column has a name. The first line must name the columns.");
  for (const [index, name] of header.entries())
    if (name === "" && index > 0 && index < last) problems.push(`column ${index + 1} has no name.`);
  const repeated = new Set(header.filter((name, index) => name !== "" && header.indexOf(name) !== index));
  for (const name of repeated) problems.push(`two columns are called ${JSON.stringify(name)}.`);
  for (const name of last === -1 ? [] : wanted) {
    if (header.includes(name)) continue;
    const closest = closestName(name, header);
    const remedy =
      closest === undefined
        ? `It has ${header.filter((column) => column !== "").join(", ")}.`
        : `Did you mean ${JSON.stringify(closest)}?`;
    problems.push(`there is no column ${JSON.stringify(name)}. ${remedy}`);
  }
  return problems;
}
