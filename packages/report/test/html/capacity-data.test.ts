import { expect, test } from "vitest";

import { gatherPageData } from "../../src/html/gather-page-data.ts";
import { foundCapacity } from "../found-capacity.ts";
import { resultOf } from "../result-of.ts";

const data = gatherPageData(foundCapacity);
const [search, loads] = data.comparisons;

test("the search is drawn as a bracket that narrows with each trial, up to the answer", () => {
  expect(search).toMatchObject({ id: "capacity", axis: "trial" });
  expect(search?.places).toEqual(["trial 1", "trial 2", "trial 3", "answer"]);
  expect(search?.charts[0]?.lines).toEqual([
    { label: "load", values: [1000, 780, 812, 812] },
    { label: "seemed met", values: [null, 780, 812, 794.2] },
    { label: "seemed violated", values: [1000, 1000, 1000, 831] },
  ]);
  expect(search?.sentences.map((text) => text.slice(0, 24))).toEqual([
    "confirmation at 812.0/s:",
    "limited by queueing at 9",
    "objective 1: http_req_re",
    "objective 2: http_req_fa",
  ]);
});

test("each load has its readings with their intervals, and the allowed value", () => {
  expect(loads?.places).toEqual(["780.0/s", "812.0/s", "1000/s"]);
  const [objective] = loads?.charts ?? [];
  expect(objective).toMatchObject({ title: "http_req_response_time: p(99)<25ms", unit: "share" });
  expect(objective?.lines).toEqual([
    { label: "allowed", values: [0.01, 0.01, 0.01] },
    { label: "at least", values: [0.0021, 0.0055, 0.99] },
    { label: "at most", values: [0.012, 0.0136, 1] },
    { label: "measured", values: [0.004, 0.0087, 1] },
  ]);
  expect(loads?.charts.map(({ id }) => id)).toEqual([
    "capacity-objective-1",
    "capacity-objective-2",
    "capacity-succeeded",
    "capacity-times",
  ]);
});

test("a trial with a saturated generator does not narrow the bracket", () => {
  const { capacity } = foundCapacity;
  const trials = capacity.trials.map((trial, index) => ({ ...trial, isGeneratorLimited: index === 0 }));
  const [limited] = gatherPageData({ ...foundCapacity, capacity: { ...capacity, trials } }).comparisons;
  expect(limited?.charts[0]?.lines[2]).toEqual({ label: "seemed violated", values: [null, null, null, 831] });
});

test("the table has all trials, and the answer is the first figure", () => {
  const table = data.tables.find(({ id }) => id === "capacity-trials");
  expect(table?.rows.map(({ cells }) => cells.slice(0, 4).map(({ text }) => text))).toEqual([
    ["1", "1000/s", "FAIL", "100 % (99.00 % to 100 %)"],
    ["2", "780.0/s", "UNDECIDED", "0.40 % (0.21 % to 1.20 %)"],
    ["3", "812.0/s", "UNDECIDED (confirmation)", "0.87 % (0.55 % to 1.36 %)"],
  ]);
  expect(data.figures[0]).toEqual({
    label: "Capacity",
    text: "812.0/s",
    detail: "at least 794.2/s, below 831.0/s",
    tone: "good",
  });
});

test("a search without a trial has no charts", () => {
  const { capacity } = foundCapacity;
  const none = { ...capacity, answer: "undecided", load: null, low: null, high: null, trials: [] } as const;
  const { comparisons, figures } = gatherPageData(resultOf({ capacity: none }));
  expect(comparisons).toEqual([]);
  expect(figures[0]).toMatchObject({ text: "undecided", detail: "no load was decided" });
});
