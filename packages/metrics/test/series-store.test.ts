import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { parseMetricSelector } from "../src/metric-selector.ts";
import type { MetricDelta } from "../src/accumulator.ts";
import { SeriesStore } from "../src/series-store.ts";
import { Trend } from "../src/trend.ts";

const reqs = (total: number): Record<string, MetricDelta> => ({
  http_reqs: { type: "counter", total, samples: total },
});

function duration(...values: number[]): Record<string, MetricDelta> {
  const trend = new Trend(3);
  for (const value of values) trend.add(value);
  return { http_req_duration: trend.toDelta() };
}

function total(store: SeriesStore, key: string): number | undefined {
  const found = store.select(parseMetricSelector(key));
  return found?.type === "counter" ? found.total : undefined;
}

describe("the series store", () => {
  test("merges series with the same tags, whatever ids the workers gave them", () => {
    const store = new SeriesStore();
    store.add(0, [{ id: 0, tags: { page: "home" }, metrics: reqs(3) }]);
    store.add(1, [
      { id: 0, tags: { page: "cart" }, metrics: reqs(5) },
      { id: 1, tags: { page: "home" }, metrics: reqs(7) },
    ]);
    store.add(1, [{ id: 1, tags: null, metrics: reqs(100) }]);
    expect([...store.all()]).toHaveLength(2);
    expect(total(store, "http_reqs{page:home}")).toBe(110);
    expect(total(store, "http_reqs{page:cart}")).toBe(5);
    expect(total(store, "http_reqs")).toBe(115);
  });

  test("selects by equality, difference and pattern, and returns undefined if nothing matches", () => {
    const store = new SeriesStore();
    store.add(0, [
      { id: 0, tags: { name: "GET /a", status: "200" }, metrics: reqs(1) },
      { id: 1, tags: { name: "GET /api/b", status: "200" }, metrics: reqs(10) },
      { id: 2, tags: { name: "GET /api/c", status: "500" }, metrics: reqs(100) },
      { id: 3, tags: {}, metrics: reqs(1000) },
    ]);
    expect(total(store, "http_reqs{status:200}")).toBe(11);
    expect(total(store, "http_reqs{status!:500}")).toBe(1011);
    expect(total(store, "http_reqs{name~:^GET /api}")).toBe(110);
    expect(total(store, "http_reqs{name~:^GET /api,status!:500}")).toBe(10);
    expect(total(store, "http_reqs{name:nothing}")).toBeUndefined();
    expect(store.select(parseMetricSelector("iterations"))).toBeUndefined();
  });

  test("does not change stored series when they are selected or grouped", () => {
    const store = new SeriesStore();
    store.add(0, [
      { id: 0, tags: { page: "home" }, metrics: duration(1, 2) },
      { id: 1, tags: { page: "cart" }, metrics: duration(3) },
    ]);
    const selector = parseMetricSelector("http_req_duration");
    for (let time = 0; time < 3; time++) {
      expect(store.select(selector)).toMatchObject({ count: 3, sum: 6000 });
      expect(store.groupBy([])[0]?.metrics.get("http_req_duration")).toMatchObject({ count: 3 });
    }
  });

  test("groups by tags in the order of first occurrence, and series without the tag in a group of their own", () => {
    const store = new SeriesStore();
    store.add(0, [
      { id: 0, tags: { page: "home", name: "a" }, metrics: reqs(1) },
      { id: 1, tags: { name: "b" }, metrics: reqs(2) },
      { id: 2, tags: { page: "cart", name: "c" }, metrics: reqs(4) },
      { id: 3, tags: { page: "home", name: "d" }, metrics: reqs(8) },
    ]);
    const groups = store.groupBy(["page"]).map(({ tags, metrics }) => {
      const counter = metrics.get("http_reqs");
      return [tags, counter?.type === "counter" ? counter.total : null];
    });
    expect(groups).toEqual([
      [{ page: "home" }, 9],
      [{}, 2],
      [{ page: "cart" }, 4],
    ]);
    expect(store.groupBy(["page"], (tags) => tags["page"] === "cart")).toHaveLength(1);
  });

  test("remembers the tags of a series that a worker has announced before", () => {
    const store = new SeriesStore();
    const known = { id: 1, tags: null, metrics: {} };
    store.add(0, [{ id: 1, tags: { page: "home" }, metrics: {} }]);
    store.add(1, [{ id: 1, tags: { page: "cart" }, metrics: {} }]);
    expect([0, 1].map((worker) => store.tagsOf(worker, known))).toEqual([{ page: "home" }, { page: "cart" }]);
    expect(store.tagsOf(0, { ...known, tags: { page: "new" } })).toEqual({ page: "new" });
    expect(store.tagsOf(7, known)).toEqual({});
  });

  test("counts the size of tags once for each metric under them, and reports the first that found no room", () => {
    const store = new SeriesStore();
    const user = "u".repeat(8_000_000);
    for (let second = 0; second < 3; second++)
      store.add(0, [{ id: 0, tags: second === 0 ? { user } : null, metrics: reqs(1) }]);
    store.add(0, [{ id: 1, tags: { user: "next" }, metrics: {} }]);
    expect(store.overflowed).toBeNull();
    store.add(0, [{ id: 0, tags: null, metrics: duration(1) }]);
    for (const user of ["first", "second"])
      store.add(1, [{ id: user.length, tags: { page: "p", user }, metrics: reqs(1) }]);
    expect(store.overflowed).toBe('{"user":"first","page":"p"}');
    expect([...store.foldedTags]).toEqual(["user"]);
  });

  test("refuses a metric that has different types in two workers", () => {
    const store = new SeriesStore();
    store.add(0, [{ id: 0, tags: {}, metrics: reqs(1) }]);
    expect(() => {
      store.add(1, [{ id: 0, tags: {}, metrics: { http_reqs: { type: "rate", trues: 1, samples: 1 } } }]);
    }).toThrow("http_reqs is a counter here and a rate there");
  });

  test("totals are the sum of all parts, however series are spread over workers and snapshots", () => {
    const part = fc.record({ worker: fc.nat(3), page: fc.constantFrom("a", "b", "c"), amount: fc.nat(1000) });
    fc.assert(
      fc.property(fc.array(part, { maxLength: 60 }), (parts) => {
        const store = new SeriesStore();
        const ids = new Map<string, number>();
        for (const { worker, page, amount } of parts) {
          const key = `${worker} ${page}`;
          const known = ids.get(key);
          const id = known ?? ids.size;
          ids.set(key, id);
          store.add(worker, [{ id, tags: known === undefined ? { page } : null, metrics: reqs(amount) }]);
        }
        for (const wanted of ["a", "b", "c"]) {
          const sum = parts
            .filter(({ page }) => page === wanted)
            .reduce((all, { amount }) => all + amount, 0);
          expect(total(store, `http_reqs{page:${wanted}}`) ?? 0).toBe(sum);
        }
      }),
    );
  });
});
