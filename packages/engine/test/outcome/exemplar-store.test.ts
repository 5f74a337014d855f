import type { MergedResult, PageExemplar } from "@bearhug/sdk/result";
import { describe, expect, test } from "vitest";

import { ExemplarStore } from "../../src/outcome/exemplar-store.ts";
import { failedExchange, medianVisit, slowVisit } from "../../../report/test/exemplars.ts";

const values = { count: 100, min: 1, avg: 10, med: 10, max: 99, "p(50)": 10, "p(95)": 50 };
const home: MergedResult = {
  name: "home",
  metrics: {
    page_duration: {
      type: "trend",
      unit: "ms",
      values: { ...values, "p(90)": 40, "p(99)": 60, "p(99.9)": 70 },
    },
  },
};

function visits(medianMs: number, slowMs: number): { pages: PageExemplar[]; errors: [] } {
  const pages = [
    { ...medianVisit, durationMs: medianMs },
    { ...slowVisit, durationMs: slowMs },
  ];
  return { pages, errors: [] };
}

describe("of the visits that workers reported", () => {
  test("those nearest to the percentiles of the whole run are in the result", () => {
    const store = new ExemplarStore();
    store.add(0, visits(7, 70));
    store.add(1, visits(12, 52));
    store.add(1, visits(11, 51));
    expect(store.result([home])?.pages.map(({ kind, durationMs }) => [kind, durationMs])).toEqual([
      ["median", 11],
      ["slow", 51],
    ]);
  });

  test("one that is nearest to both percentiles appears only as the median", () => {
    const store = new ExemplarStore();
    store.add(0, { pages: [medianVisit, { ...medianVisit, kind: "slow" }], errors: [] });
    expect(store.result([home])?.pages).toEqual([medianVisit]);
  });

  test("those of pages without a duration are left out", () => {
    const store = new ExemplarStore();
    store.add(0, visits(7, 70));
    expect(store.result([{ name: "home", metrics: {} }])).toBeNull();
  });

  test("only those of 20 pages are kept, however many workers and pages there are", () => {
    const store = new ExemplarStore();
    for (let workerId = 0; workerId < 64; workerId++)
      for (let page = 0; page < 40; page++)
        store.add(workerId, { pages: [{ ...medianVisit, page: `page ${page}` }], errors: [] });
    const pages = Array.from({ length: 40 }, (_, page) => ({ ...home, name: `page ${page}` }));
    expect(store.result(pages)?.pages).toHaveLength(20);
  });
});

test("failed exchanges of all workers are merged: the first of a kind, and the two latest", () => {
  const store = new ExemplarStore();
  const errors = [5, 3, 8, 1].map((atMs) => ({ ...failedExchange, atMs }));
  for (const [workerId, error] of errors.entries()) store.add(workerId, { pages: [], errors: [error] });
  expect(store.result([])?.errors.map(({ atMs }) => atMs)).toEqual([1, 5, 8]);
});
