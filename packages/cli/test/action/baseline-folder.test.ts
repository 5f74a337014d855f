import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { addToBaseline, listBaseline } from "../../../../action/baseline-folder.ts";
import { temporaryFolder } from "../end-to-end/run-bearhug.ts";

test("a baseline keeps the results of the latest five runs, oldest first", () => {
  const folder = temporaryFolder();
  const result = join(temporaryFolder(), "result.json");
  expect(listBaseline(folder)).toEqual([]);
  for (let run = 1; run <= 12; run += 1) {
    writeFileSync(result, `"run ${run}"`);
    addToBaseline(folder, result, false);
  }
  const kept = listBaseline(folder);
  expect(kept).toEqual(["8.json", "9.json", "10.json", "11.json", "12.json"]);
  expect(kept.map((path) => readFileSync(join(folder, path), "utf8"))).toEqual(
    [8, 9, 10, 11, 12].map((run) => `"run ${run}"`),
  );
});

test("a baseline that is started again has one result", () => {
  const folder = temporaryFolder();
  const result = join(temporaryFolder(), "result.json");
  writeFileSync(result, "{}");
  for (const startsAnew of [false, false, true]) addToBaseline(folder, result, startsAnew);
  expect(listBaseline(folder)).toHaveLength(1);
});
