import type { TestResult } from "@bearhug/sdk";
import { expect, test } from "vitest";

import { parseMetricSelector } from "../../src/metric-selector.ts";
import { FigureReader, todaysNames } from "../../src/comparison/read-figure.ts";
import { resultOfSeconds } from "./result-of-seconds.ts";

test.each([
  [{ name: "GET /records/am9na54mwy6hot8" }, { name: "GET /records/:id" }],
  [{ name: "GET /users/:id" }, { name: "GET /users/:id" }],
  [{ name: "checkout of am9na54mwy6hot8" }, { name: "checkout of am9na54mwy6hot8" }],
  [{ page: "owners/11/pets/14/visits/new" }, { page: "owners/id/pets/id/visits/new" }],
  [
    { group: "POST /notes/2", scenario: "7/8" },
    { group: "POST /notes/id", scenario: "7/8" },
  ],
  [{ page: "Notes of 2026" }, { page: "Notes of 2026" }],
])("%j are %j today", (tags, today) => {
  expect(todaysNames(tags)).toEqual(today);
});

/** Returns a run with requests of several names, each on a page of its own. */
function runOf(...names: readonly string[]): TestResult {
  const result = resultOfSeconds([{ durationsMs: [10, 20], failed: 0 }]);
  const series = names.flatMap((name) =>
    result.series.map((one) => ({ ...one, tags: { ...one.tags, name, page: name.replace("GET /", "") } })),
  );
  return { ...result, series };
}

test.each([
  ["http_req_duration{name:GET /notes/:id}", false],
  ["http_req_duration{page:notes/id}", false],
  ["http_req_duration{name:GET /notes/new}", true],
])("in a baseline with ids in its names, %s is missing: %s", (key, isEmpty) => {
  const figure = {
    key,
    selector: parseMetricSelector(key),
    aggregation: { kind: "percentile", percentile: 95 },
    worse: "higher",
  } as const;
  expect(new FigureReader().read(runOf("GET /notes/2", "GET /notes/3"), figure).isEmpty).toBe(isEmpty);
});
