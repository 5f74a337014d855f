import type { CsvOptions } from "@bearhug/sdk";
import { CsvError, parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { rowReader } from "../../src/feeds/open-rows.ts";
import { indexCsv } from "../../src/feeds/parse-csv.ts";
import { RowProblems } from "../../src/feeds/row-problems.ts";
import { countRows } from "../../src/protocol/shared-feeds.ts";
import { sharedText } from "./shared-text.ts";

interface ReadCsv {
  readonly rows: readonly unknown[];
  readonly problems: readonly string[];
}

function read(text: string, options: CsvOptions = {}): ReadCsv {
  const problems = new RowProblems();
  const indexed = indexCsv(sharedText(text), "users.csv", options, problems);
  const rows: unknown[] = [];
  if (indexed !== null) {
    const { feed, wrong } = indexed;
    const readRow = rowReader(feed);
    for (let index = 0; index < countRows(feed); index += 1) if (!wrong.has(index)) rows.push(readRow(index));
  }
  return {
    rows,
    problems: problems.all().map(({ place, message }) => `${place}: ${message}`),
  };
}

/** Reads the whole text with csv-parse alone. Ignores all rows and errors after the first misplaced quote. */
function readWhole(text: string, delimiter: string): ReadCsv {
  const rows: unknown[] = [];
  const problems: string[] = [];
  const isOver = (): boolean => problems.some((code) => code.includes("QUOTE"));
  const outside = text.replace(/"(?:[^"]|"")*(?:"|$)/g, "quoted");
  try {
    parse(text, {
      columns: ["a", "b"],
      delimiter,
      record_delimiter: /\r\n|\n|\r/.exec(outside)?.[0] === "\r" ? ["\r"] : ["\r\n", "\n"],
      skip_empty_lines: true,
      skip_records_with_error: true,
      on_skip: (error) => {
        if (!isOver()) problems.push(error?.code ?? "");
        return undefined;
      },
      on_record: (row: unknown) => {
        if (!isOver()) rows.push(row);
        return null;
      },
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    if (!isOver()) problems.push(error.code);
  }
  return { rows, problems };
}

const sentenceOf: readonly [code: RegExp, sentence: RegExp][] = [
  [/INVALID_CLOSING_QUOTE/, /there is text after the closing quote/],
  [/INVALID_OPENING_QUOTE/, /an unquoted field contains a quote/],
  [/QUOTE_NOT_CLOSED/, /a quoted field begins here and does not end/],
  [/INCONSISTENT/, /the row has \d+ fields?, but there are 2 columns/],
];

describe.each([",", ";", "§", "€"])("with %j between fields", (delimiter) => {
  const pieces = [
    '"',
    '""',
    "x",
    "ž",
    " ",
    "\n",
    "\r\n",
    "\r",
    delimiter,
    `a${delimiter}b\n`,
    `"a"${delimiter}"b"\r\n`,
  ];

  test("rows and mistakes are those that the parser finds in the whole text", () => {
    // Texts end with x: at the end of a file, a carriage return is no value, and delimiters alone are no row.
    const texts = fc
      .array(fc.constantFrom(...pieces), { maxLength: 12 })
      .map((all) => all.join("").replace(/\r+$/, "").concat("\nx"));
    fc.assert(
      fc.property(texts, (text) => {
        const found = read(text, { header: false, columns: ["a", "b"], delimiter });
        const expected = readWhole(text, delimiter);
        expect(found.rows).toEqual(expected.rows);
        const sentences = expected.problems.map((code) => sentenceOf.find(([one]) => one.test(code))?.[1]);
        expect(found.problems).toEqual(
          sentences.map((sentence) => expect.stringMatching(sentence ?? /never/) as string),
        );
      }),
      { numRuns: 500 },
    );
  });
});

describe("mistakes are found on the line where they are", () => {
  test.each([
    [
      "in a row after quoted line ends",
      'a,b\n"1\n2",3\n\n4\n',
      "users.csv:5: the row has 1 field, but there are 2 columns.",
    ],
    [
      "in a file with the line ends of a Mac",
      "a,b\r1,2\r3\r",
      "users.csv:3: the row has 1 field, but there are 2 columns.",
    ],
    [
      "in a file with the line ends of Windows",
      "a,b\r\n1,2\r\n3\r\n",
      "users.csv:3: the row has 1 field, but there are 2 columns.",
    ],
    [
      "with a quote that is never closed",
      'a,b\n1,2\n3,"4\n5,6\n7,8\n',
      "users.csv:3: a quoted field begins here and does not end: a closing quote is missing.",
    ],
    [
      "with a quote within a field",
      'a,b\n"1\n2",x"y"\n',
      "users.csv:3: an unquoted field contains a quote. Quote the whole field, and write the quote inside as two.",
    ],
  ])("%s", (_, text, problem) => {
    expect(read(text).problems).toEqual([problem]);
  });

  test("and only the first of thousands are named", () => {
    const { problems } = read(`a,b\n${"1\n".repeat(5000)}`);
    expect(problems).toHaveLength(21);
    expect(problems[19]).toBe("users.csv:21: the row has 1 field, but there are 2 columns.");
    expect(problems[20]).toBe("null: 4980 more rows are wrong.");
  });
});

test("line ends of Windows and Unix may be mixed", () => {
  expect(read("a,b\n1,2\r\n3,4\n").rows).toEqual([
    { a: "1", b: "2" },
    { a: "3", b: "4" },
  ]);
});

describe("what spreadsheets and pandas write", () => {
  test.each([
    { what: "Excel's line about the separator", text: "sep=;\r\na;b\r\n1;2\r\n" },
    { what: "that line in quotes, with the line ends of a Mac", text: '"sep=\t"\ra\tb\r1\t2\r' },
    { what: "that line, and the same delimiter in the test", text: "sep=|\na|b\n1|2", delimiter: "|" },
    { what: "rows of delimiters at the end", text: "a,b\n1,2\n,\n,,,\r\n\n,\n" },
    { what: "columns behind the last one", text: "a,b,,\n1,2,,\n" },
    { what: "the column of pandas' index", text: ",a,b\n0,1,2\n" },
  ])("is read: $what", ({ text, delimiter }) => {
    const options = delimiter === undefined ? {} : { delimiter };
    expect(read(text, { columns: ["a", "b"], ...options })).toEqual({
      rows: [{ a: "1", b: "2" }],
      problems: [],
    });
  });

  test("a row of delimiters between others is a row", () => {
    expect(read("a,b\n,\n1,2\n").rows).toEqual([
      { a: "", b: "" },
      { a: "1", b: "2" },
    ]);
    expect(read("a,b\n,,,\n1,2\n").problems).toHaveLength(1);
  });

  test.each<[text: string, options: CsvOptions, problem: string]>([
    [
      "sep=;\na;b\n",
      { delimiter: "," },
      '1: this line says that ";" separates fields, but the test sets delimiter: ",". Leave it out.',
    ],
    [
      "a|b\n1|2\n",
      {},
      '1: the header line is one column, "a|b". If its fields are separated by "|", set delimiter: "|".',
    ],
    [
      "1|2\n",
      { header: false, columns: ["a", "b"] },
      '1: the row has 1 field, but there are 2 columns. If its fields are separated by "|", set delimiter: "|".',
    ],
    [
      "a,b\n1,2,3\n",
      {},
      '2: the row has 3 fields, but there are 2 columns. Quote a field that contains ",".',
    ],
    ["a,,b\n1,2,3\n", {}, "1: column 2 has no name."],
    [",,\n1,2,3\n", { columns: ["a"] }, "1: no column has a name. The first line must name the columns."],
  ])("%j is refused with its likely cause", (text, options, problem) => {
    expect(read(text, options)).toEqual({ rows: [], problems: [`users.csv:${problem}`] });
  });
});
