import { expect, test } from "vitest";

import { gatherPageData } from "../../src/html/gather-page-data.ts";
import { resultOf } from "../result-of.ts";
import { shed } from "./exceeded-result.ts";

const data = gatherPageData(resultOf({ overload: shed }));
const [comparison] = data.comparisons;
const lineOf = (chart: number, label: string) =>
  comparison?.charts[chart]?.lines.find((line) => line.label === label)?.values;

test("goodput is drawn against the offered load, second by second", () => {
  expect(comparison).toMatchObject({ id: "overload", axis: "time" });
  expect(comparison?.places.slice(0, 2)).toEqual(["1 s", "2 s"]);
  expect(lineOf(0, "offered")).toEqual(
    Array.from({ length: 18 }, (_, at) => (at >= 6 && at < 12 ? 300 : 150)),
  );
  expect(lineOf(0, "goodput")).toEqual(shed.intervals.map(({ goodput }) => goodput));
  expect(lineOf(0, "failed")).toEqual(shed.intervals.map(({ failed }) => failed));
  expect(lineOf(0, "dropped")).toBeUndefined();
});

test("a second in whose middle the load changes has the new load", () => {
  const [first, second, ...others] = shed.phases;
  if (first === undefined || second === undefined) throw new TypeError("no phases");
  const phases = [{ ...first, toMs: 5500 }, { ...second, fromMs: 5500 }, ...others];
  const [moved] = gatherPageData(resultOf({ overload: { ...shed, phases } })).comparisons;
  expect(moved?.charts[0]?.lines[0]?.values.slice(4, 7)).toEqual([150, 300, 300]);
});

test("response times are drawn against the normal p95, with the sentences of the summary", () => {
  expect(lineOf(1, "p95")).toEqual(shed.intervals.map(({ p95 }) => p95));
  expect(lineOf(1, "normal")).toEqual(Array(18).fill(shed.recovery?.mostP95));
  expect(comparison?.sentences[0]).toContain("the target sheds load");
  expect(comparison?.sentences[1]).toMatch(/^It was back to normal /);
});

test("a run that ended before the load fell has no line of the normal p95", () => {
  const early = { ...shed, intervals: shed.intervals.slice(0, 10), recovery: null };
  const [short] = gatherPageData(resultOf({ overload: early })).comparisons;
  expect(short?.charts[1]?.lines.map(({ label }) => label)).toEqual(["p95"]);
});

test("the phases have a table, and the kind is the first figure", () => {
  const table = data.tables.find(({ id }) => id === "overload-phases");
  expect(table?.rows.map(({ cells }) => cells[0]?.text)).toEqual([
    "at the rate",
    "above the rate",
    "back at the rate",
  ]);
  expect(data.figures[0]).toEqual({
    label: "Overload",
    text: "sheds",
    detail: "at 300/s",
    tone: "good",
  });
});
