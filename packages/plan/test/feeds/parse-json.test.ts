import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { openRows } from "../../src/feeds/open-rows.ts";
import { indexJson, indexNdjson } from "../../src/feeds/parse-json.ts";
import { RowProblems } from "../../src/feeds/row-problems.ts";
import { sharedText } from "./shared-text.ts";

interface ReadJson {
  readonly rows: readonly unknown[];
  readonly columns: readonly string[];
  readonly problems: readonly string[];
}

function read(index: typeof indexJson | typeof indexNdjson, text: string): ReadJson {
  const problems = new RowProblems();
  const indexed = index(sharedText(text), "rows.json", problems, () => undefined);
  const sentences = problems.all().map(({ place, message }) => `${place}: ${message}`);
  if (indexed === null) return { rows: [], columns: [], problems: sentences };
  const { feed, wrong } = indexed;
  const rows = wrong.size > 0 ? [] : openRows(feed, (row) => row);
  return { rows, columns: feed.columns, problems: sentences };
}

test("rows of a list are those that JSON.parse finds in the whole text", () => {
  const lists = fc.tuple(
    fc.array(fc.jsonValue(), { maxLength: 8 }),
    fc.constantFrom(undefined, 1, "\t", "\r\n"),
  );
  fc.assert(
    fc.property(lists, ([list, space]) => {
      const text = ` ${JSON.stringify(list, null, space)}\n`;
      expect(read(indexJson, text)).toMatchObject({ rows: JSON.parse(text) as unknown[], problems: [] });
    }),
    { numRuns: 300 },
  );
});

test("a text is refused if JSON.parse refuses it, or finds no list in it", () => {
  const pieces = ["[", "]", "{", "}", ",", ":", '"', "\\", '"a"', "1", " ", "\n", "null", '{"a":1}', "[1,2]"];
  const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 8 }).map((all) => `[${all.join("")}]`);
  fc.assert(
    fc.property(texts, (text) => {
      let expected: unknown = null;
      try {
        expected = JSON.parse(text);
      } catch {
        // It stays null.
      }
      const { rows, problems } = read(indexJson, text);
      if (Array.isArray(expected)) expect({ rows, problems }).toEqual({ rows: expected, problems: [] });
      else expect(problems).toHaveLength(1);
    }),
    { numRuns: 500 },
  );
});

test.each([
  ['[\n {"a":1},\n {"a":2},]', 3],
  ['[\n {"a":1}\n {"a":2}]', 3],
  ["[\n\ntru]", 3],
  ['[\n{"a":"x\ny"}]', 2],
  [`[\n{"name":"${"x".repeat(40)}","password":"sunshine",\n"b":x,"name":"${"x".repeat(40)}"}]`, 3],
  ["", 1],
])("a mistake in %j is found on line %d, and its text is not shown", (text, line) => {
  const { rows, problems } = read(indexJson, text);
  expect(rows).toEqual([]);
  expect(problems).toEqual([
    expect.stringMatching(new RegExp(`^rows\\.json:${line}: this is not JSON: [^"]*\\.$`)) as string,
  ]);
});

test("a mistake in a row that nests too deeply for the parser is found on the row's line", () => {
  const text = `[1,\n${'{"a":'.repeat(20_000)}\nx${"}".repeat(20_000)}]`;
  expect(read(indexJson, text).problems).toEqual(["rows.json:2: this is not JSON: Unexpected token 'x'."]);
});

test("line numbers of NDJSON include the empty lines between rows", () => {
  const { problems } = read(indexNdjson, '{"id":1}\n\n{"id":}\n{"id":2}\n');
  expect(problems).toEqual([expect.stringMatching(/^rows\.json:3: this is not JSON/) as string]);
  const { rows, columns } = read(indexNdjson, ' {"id":1}\r\n\t\r\n{"id":2,"name":"ž"}  \n\n[3]');
  expect(rows).toEqual([{ id: 1 }, { id: 2, name: "ž" }, [3]]);
  expect(columns).toEqual(["id", "name", "0"]);
});

describe("an integer beyond 2^53", () => {
  test.each([
    ["9007199254740993", '"id"'],
    ["-9007199254740993", '"id"'],
    ["1" + "0".repeat(400), '"id"'],
    ['{"in":[12345678901234567]}', '"0"'],
  ])("is refused if JavaScript rounds it: %s", (value, name) => {
    const sentence = `${name} is an integer beyond 2^53, which JavaScript would round. Write it as a string, in quotes.`;
    expect(read(indexNdjson, `{"id":1}\n{"id":${value}}`).problems).toEqual([`rows.json:2: ${sentence}`]);
    expect(read(indexJson, `[{"id":1},\n{"id":${value}}]`).problems).toEqual([
      `rows.json:2, row 2: ${sentence}`,
    ]);
  });

  test.each([
    "9007199254740992",
    "10000000000000000000000",
    "0.1234567890123456789",
    '"9007199254740993"',
    "1e30",
  ])("that JavaScript does not round, or a fraction or a string, is read: %s", (value) => {
    const { rows, problems } = read(indexNdjson, `{"id":${value}}`);
    expect({ rows, problems }).toEqual({ rows: [{ id: JSON.parse(value) as unknown }], problems: [] });
  });
});
