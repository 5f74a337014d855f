import type { CsvOptions } from "@bearhug/sdk";
import { closestName } from "@bearhug/sdk/internal";
import { CsvError, parse } from "csv-parse/sync";

import type { ParsedRows, RowProblem } from "./parsed-rows.ts";

/** Rows of a CSV text (RFC 4180), each an object of texts by its columns. `file` is how problems name the file. */
export function parseCsv(text: string, file: string, options: CsvOptions): ParsedRows {
  const { columns, header: hasHeader = true, delimiter = "," } = options;
  const rows: unknown[] = [];
  const rowLines: number[] = [];
  const badLines = new BadLines(file);
  const headerProblems: RowProblem[] = [];
  const readHeader = (header: readonly string[]): string[] => {
    const found = otherDelimiter(header, delimiter) ?? validateHeader(header, columns ?? []);
    headerProblems.push(...found.map((message) => ({ place: `${file}:1`, message })));
    return [...header];
  };
  try {
    parse(text, {
      columns: hasHeader ? readHeader : [...(columns ?? [])],
      delimiter,
      bom: true,
      skip_empty_lines: true,
      skip_records_with_error: true,
      on_skip: (error) => {
        badLines.add(error);
        return undefined;
      },
      on_record: (value: unknown, { lines }) => {
        rows.push(value);
        rowLines.push(lines);
        return null;
      },
    });
  } catch (error) {
    // What cannot be skipped, such as a quote that is never closed in the header.
    if (!(error instanceof CsvError)) throw error;
    badLines.add(error);
  }
  const placeOf = (index: number): string => `${file}:${rowLines[index]}`;
  if (headerProblems.length > 0) return { rows: [], problems: headerProblems, placeOf };
  return { rows, problems: badLines.problems, placeOf };
}

/** Lines that are no rows. After a quote in the wrong place nobody knows where fields end: nothing more is told. */
class BadLines {
  readonly problems: RowProblem[] = [];
  readonly #file: string;
  #isLost = false;

  constructor(file: string) {
    this.#file = file;
  }

  add(error: CsvError | undefined): void {
    if (error === undefined || this.#isLost) return;
    const line = typeof error["lines"] === "number" ? `:${error["lines"]}` : "";
    this.problems.push({ place: `${this.#file}${line}`, message: describe(error) });
    this.#isLost = error.code.includes("QUOTE");
  }
}

/** In our words, what people meet in files of their own. */
const sentences: Readonly<Partial<Record<CsvError["code"], string>>> = {
  CSV_INVALID_CLOSING_QUOTE:
    'there is text after the closing quote of a field. Write a quote inside a field as two: "".',
  INVALID_OPENING_QUOTE:
    "an unquoted field contains a quote. Quote the whole field, and write the quote inside as two.",
  CSV_QUOTE_NOT_CLOSED: "the file ends inside a quoted field: a closing quote is missing.",
};

function describe(error: CsvError): string {
  const isLength = error.code.startsWith("CSV_RECORD_INCONSISTENT");
  return isLength ? describeLength(error) : (sentences[error.code] ?? error.message);
}

function describeLength(error: CsvError): string {
  const { record, columns } = error;
  if (!Array.isArray(record) || !Array.isArray(columns)) return error.message;
  const fields = `${record.length} ${record.length === 1 ? "field" : "fields"}`;
  const wanted = columns.length === 1 ? "there is 1 column" : `there are ${columns.length} columns`;
  return `the row has ${fields}, but ${wanted}.`;
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
