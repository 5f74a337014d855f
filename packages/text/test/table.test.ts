import fc from "fast-check";
import { expect, test } from "vitest";

import { displayWidth } from "../src/display-width.ts";
import { type Column, renderTable } from "../src/table.ts";

const layout = { width: 40, indent: 2, ellipsis: "…", paintTitle: (text: string) => text };
const columns: Column[] = [
  { title: "request", shrinks: true },
  { title: "count", align: "right" },
  { title: "p90", align: "right", keep: 1 },
  { title: "p99", align: "right", keep: 2 },
];

test("columns are aligned by the width that a terminal gives to characters", () => {
  expect(
    renderTable(
      columns,
      [
        ["GET /", "1", "2.1", "3"],
        ["GET /価格", "100", "2", "30.5"],
      ],
      layout,
    ),
  ).toEqual([
    "  request    count  p90   p99",
    "  GET /          1  2.1     3",
    "  GET /価格    100    2  30.5",
  ]);
});

test("a long name is shortened, then the least important columns are dropped, then it is shortened more", () => {
  const rows = [["GET /a/very/long/path/to/the/end/indeed", "100", "200", "300"]];
  expect(renderTable(columns, rows, { ...layout, width: 46 })).toEqual([
    "  request                      count  p90  p99",
    "  GET /a/very/l…he/end/indeed    100  200  300",
  ]);
  expect(renderTable(columns, rows, { ...layout, width: 38 })).toEqual([
    "  request                   count  p99",
    "  GET /a/very/…/end/indeed    100  300",
  ]);
  expect(renderTable(columns, rows, { ...layout, width: 24 })).toEqual([
    "  request          count",
    "  GET /a/…/indeed    100",
  ]);
});

test("a column is shortened to its comfortable width before it is dropped", () => {
  const narrow: Column[] = [
    { title: "check", shrinks: true },
    { title: "page", shrinks: true, preferredMinWidth: 12, keep: 1 },
  ];
  const rows = [["redirects to /notes/:id and nowhere else", "the list of all issues in the tracker"]];
  expect(renderTable(narrow, rows, { ...layout, width: 42 })).toEqual([
    "  check                      page",
    "  redirects to…nowhere else  the li…racker",
  ]);
});

test("a table without titles has no title line", () => {
  expect(renderTable([{ title: "" }, { title: "" }], [["a", "b"]], layout)).toEqual(["  a  b"]);
});

test("colours do not count as width", () => {
  const paint = (text: string) => `\u001b[31m${text}\u001b[39m`;
  expect(
    renderTable(
      [{ title: "" }, { title: "" }],
      [
        [{ text: "a", paint }, "b"],
        ["long", "c"],
      ],
      layout,
    ),
  ).toEqual(["  \u001b[31ma\u001b[39m     b", "  long  c"]);
});

test("a table fits its width, whatever it contains", () => {
  const cell = fc.string({ unit: "grapheme", maxLength: 60 });
  const number = fc.nat(10_000_000).map(String);
  const row = fc.tuple(cell, number, number, number);
  fc.assert(
    fc.property(fc.array(row, { maxLength: 5 }), fc.integer({ min: 30, max: 120 }), (rows, width) => {
      for (const line of renderTable(columns, rows, { ...layout, width })) {
        expect(displayWidth(line)).toBeLessThanOrEqual(width);
      }
    }),
  );
});
