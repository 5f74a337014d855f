import { expect, test } from "vitest";

import { parseJson, parseNdjson } from "../../src/feeds/parse-json.ts";

test("each row of a list is found on the line where it begins", () => {
  const text = `[ {"id": 1},\n\n  {"id": [\n 2, "a\\"]\\n,[" ]}, "plain",\n null]`;
  const { rows, problems, placeOf } = parseJson(text, "rows.json");
  expect(problems).toEqual([]);
  expect(rows.map((_, index) => placeOf(index))).toEqual([
    "rows.json:1, row 1",
    "rows.json:3, row 2",
    "rows.json:4, row 3",
    "rows.json:5, row 4",
  ]);
});

test.each([
  ['[\n {"a":1},\n {"a":2},]', 3],
  ['[\n {"a":1}\n {"a":2}]', 3],
  ["[\n\ntru]", 3],
  ['[\n{"a":"x\ny"}]', 2],
  ["", 1],
])("a mistake in %j is found on line %d, and its text is not shown", (text, line) => {
  const { rows, problems } = parseJson(text, "rows.json");
  expect(rows).toEqual([]);
  expect(problems).toEqual([
    { place: `rows.json:${line}`, message: expect.stringMatching(/^this is not JSON: [^"]*\.$/) as string },
  ]);
});

test("rows of NDJSON are counted with the lines between them", () => {
  const { rows, problems, placeOf } = parseNdjson('{"id":1}\n\n{"id":}\n{"id":2}\n', "ids.ndjson");
  expect(rows).toEqual([{ id: 1 }, { id: 2 }]);
  expect(problems.map(({ place }) => place)).toEqual(["ids.ndjson:3"]);
  expect(placeOf(1)).toBe("ids.ndjson:4");
});
