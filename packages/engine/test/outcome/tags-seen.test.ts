import { parseMetricSelector } from "@bearhug/metrics/metric-selector";
import { SeriesStore } from "@bearhug/metrics/series-store";
import { describe, expect, test } from "vitest";

import { leavesOutNothing } from "../../src/outcome/judge-thresholds.ts";
import { tagsSeen } from "../../src/outcome/tags-seen.ts";
import { describeFilters } from "../../src/outcome/judge-thresholds.ts";

const store = new SeriesStore();
const requests = { http_reqs: { type: "counter", total: 1, samples: 1 } } as const;
store.add(0, [
  { id: 1, tags: { scenario: "s", name: "GET /", status: "200", kind: "small" }, metrics: requests },
  { id: 2, tags: { scenario: "s", name: "GET /", status: "503" }, metrics: requests },
  { id: 3, tags: { scenario: "s", page: "home" }, metrics: { pages: requests.http_reqs } },
]);

describe("the hint if filters select no sample", () => {
  test.each([
    [
      "http_reqs{statsu:200}",
      "; no sample of http_reqs has a tag statsu, only scenario, name, status, kind: did you mean status?",
    ],
    [
      "http_reqs{statsu!:200}",
      "; no sample of http_reqs has a tag statsu, only scenario, name, status, kind: did you mean status?",
    ],
    ["http_reqs{page:home}", "; no sample of http_reqs has a tag page, only scenario, name, status, kind"],
    ["http_reqs{status:500}", "; status was 200, 503"],
    ["http_reqs{page!:home,name~:^POST}", "; name was GET /"],
    ["http_reqs{status:200,kind:large}", "; kind was small"],
    ["http_reqs{status:503,kind:small}", ""],
    ["iterations{scenario:s}", ""],
  ])("for %s", (key, hint) => {
    expect(describeFilters(key, tagsSeen(store, parseMetricSelector(key).metric))).toBe(hint);
  });
});

test.each([
  ["http_reqs{statsu!:500}", true],
  ["http_reqs{kind!:large}", false],
  ["http_reqs{page!:home}", false],
  ["http_reqs{variant!:new}", false],
  ["http_reqs{statsu:500}", false],
])("%s excludes nothing, because no sample has its tag: %s", (key, expected) => {
  const selector = parseMetricSelector(key);
  expect(leavesOutNothing({ selector, allowEmpty: false }, store)).toBe(expected);
  expect(leavesOutNothing({ selector, allowEmpty: true }, store)).toBe(false);
});
