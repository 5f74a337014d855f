import { expect, test } from "vitest";

import { sumFigures } from "../src/sum.ts";

test("adds up the named figures of all rows, in the order of their names", () => {
  const rows = [
    { name: "a", failed: 1, started: 3 },
    { name: "b", failed: 0, started: 4 },
  ];
  expect(Object.entries(sumFigures(rows, "started", "failed"))).toEqual([
    ["started", 7],
    ["failed", 1],
  ]);
});

test("sums of no rows are 0", () => {
  expect(sumFigures([], "started")).toEqual({ started: 0 });
});
