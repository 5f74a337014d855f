import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { readFeeds } from "@bearhug/plan/feeds/read-feeds";
import { csv, json, ndjson, rows, type FeedDeclaration, type RowSchema } from "@bearhug/sdk";
import { expect, test } from "vitest";

import { dataTexts } from "../../src/worker/data-texts.ts";

const folder = mkdtempSync(join(tmpdir(), "bearhug-data-texts-"));
const records = [
  { id: "1", term: "undefined behaviour", last: "Naß" },
  { id: "2", term: "undefined", last: "Ōno, NaN" },
  { id: "3", term: "[object Object]", last: "end" },
];
const same: RowSchema<object> = {
  "~standard": { version: 1, vendor: "own", validate: (row) => ({ value: { row } }) },
};

const texts: Readonly<Record<string, string>> = {
  "a.csv": `id,term,last\n${records.map(({ id, term, last }) => `${id},${term},"${last}"\n`).join("")}`,
  "crlf.csv": `term;NaN\r\nundefined behaviour;1\r\nundefined;2\r\n[object Object];end`,
  "a.json": JSON.stringify(records),
  "a.ndjson": records.map((record) => JSON.stringify(record)).join("\n"),
};
for (const [name, text] of Object.entries(texts)) writeFileSync(join(folder, name), text);

const feeds: readonly [string, FeedDeclaration][] = [
  ["CSV", csv("a.csv")],
  ["CSV of another dialect", csv("crlf.csv", { delimiter: ";" })],
  ["JSON", json("a.json")],
  ["NDJSON", ndjson("a.ndjson")],
  ["converted rows", csv("a.csv", { schema: same })],
  ["a list", rows(records)],
];

test.each(feeds)("a whole value in a feed of %s is found, and no part of one", async (_what, feed) => {
  const read = await readFeeds({ users: feed }, folder);
  expect(read.problems).toEqual([]);
  const isData = dataTexts(structuredClone(read.feeds), null);
  const found = ["undefined", "[object Object]", "NaN", "Infinity", "end"].filter(isData);
  expect(found).toEqual(["undefined", "[object Object]", "end"]);
  expect(isData("undefined")).toBe(true);
});

test("a whole value in the data of setup is found", () => {
  const data = { terms: "ō\nundefined\n[object Object]".split("\n"), byName: new Map([["a", "NaN"]]) };
  const isData = dataTexts({ byName: {} }, structuredClone(data));
  expect(["undefined", "[object Object]", "NaN", "null"].map(isData)).toEqual([true, true, true, false]);
  expect(dataTexts({ byName: {} }, undefined)("undefined")).toBe(false);
  const shared = { memory: new SharedArrayBuffer(1), term: "undefined" };
  expect(dataTexts({ byName: {} }, shared)("undefined")).toBe(false);
});
