import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { expect, test } from "vitest";

import { renderCsv } from "../src/csv.ts";
import { hostileTexts, textsFrom, withTexts } from "./hostile-texts.ts";
import { resultOf } from "./result-of.ts";
import { passed } from "./results.ts";

function read(csv: string): Record<string, string>[] {
  return parse(csv, { columns: true });
}

test("each metric of the run and of its parts is a row", () => {
  const rows = read(renderCsv(passed));
  const parts = [passed, ...passed.scenarios, ...passed.pages, ...passed.groups, ...passed.names];
  expect(rows).toHaveLength(parts.flatMap(({ metrics }) => Object.keys(metrics)).length);
  const duration = passed.metrics["http_req_duration"];
  if (duration?.type !== "trend") throw new TypeError("it is a trend");
  const row = rows.find(({ scope, metric }) => scope === "run" && metric === "http_req_duration");
  expect(row).toMatchObject({ name: "front page", type: "trend", unit: "ms", rate: "", value: "" });
  for (const key of ["count", "min", "avg", "med", "max", "p(95)"] as const)
    expect(Number(row?.[key])).toBe(duration.values[key]);
});

test("counters, rates and gauges each have their own figures", () => {
  const run = read(renderCsv(passed)).filter(({ scope }) => scope === "run");
  const rowOf = (name: string) => run.find(({ metric }) => metric === name);
  expect(rowOf("http_reqs")).toMatchObject({ count: "10200", unit: "", min: "" });
  expect(rowOf("http_req_failed")).toMatchObject({ passes: "20", fails: "10180", count: "" });
  expect(rowOf("queue_length")).toMatchObject({ value: "4", min: "0", max: "17", avg: "" });
});

test("negative figures stay numbers", () => {
  const values = { value: -4, min: -0.25, max: 17 };
  const depth = { type: "gauge", unit: null, values } as const;
  const [row] = read(renderCsv(resultOf({ metrics: { depth } })));
  expect(row).toMatchObject({ metric: "depth", value: "-4", min: "-0.25", max: "17" });
});

test.each(["=1+1", "+1", "-1", "@SUM(A1)", "＝1"])("%j is not read as a formula", (name) => {
  const rows = read(renderCsv(withTexts(passed, () => name)));
  expect(rows.filter((row) => row["name"] === `'${name}`).length).toBeGreaterThan(0);
  expect(rows.filter((row) => row["name"] === name)).toEqual([]);
});

test.each([
  [`"quoted", with a comma`, `"quoted", with a comma`],
  ["two\nlines", "two\\nlines"],
  ["\t=1", "\\t=1"],
  ["\r=1", "\\r=1"],
  ["\u001b[2J\u0007\u009b0m\u202e", "\\e[2J\\u{07}\\u{9b}0m\\u{202e}"],
  ["`|`<b>", "`|`<b>"],
])("%j is one cell, without control characters", (name, cell) => {
  const rows = read(renderCsv(withTexts(passed, () => name)));
  expect(rows.map((row) => row["name"])).toContain(cell);
});

test("no name adds rows or cells, or begins a formula", () => {
  const rowCount = read(renderCsv(passed)).length;
  fc.assert(
    fc.property(hostileTexts, (texts) => {
      const rows = read(renderCsv(withTexts(passed, textsFrom([...texts, "=1", "-1|cmd", "@x", "＋1"]))));
      expect(rows).toHaveLength(rowCount);
      for (const cell of rows.flatMap(({ name, metric }) => [name, metric]))
        expect(cell).not.toMatch(/^[=+\-@\t\r＝＋－＠]/);
    }),
    { numRuns: 25 },
  );
});
