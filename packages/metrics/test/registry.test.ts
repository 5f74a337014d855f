import { createMask } from "@bearhug/text/secret-mask";
import { describe, expect, test } from "vitest";

import { MetricRegistry } from "../src/registry.ts";
import { SeriesStore } from "../src/series-store.ts";
import { SnapshotTaker } from "../src/snapshot.ts";
import { testCatalog } from "./catalog-of.ts";

function count(registry: MetricRegistry): number {
  return [...registry.all()].length;
}

describe("the metric registry", () => {
  test("has one series for the same tags in any order", () => {
    const registry = new MetricRegistry(testCatalog(), createMask([]));
    const series = registry.series({ scenario: "readers", page: "home" });
    expect(registry.series({ page: "home", scenario: "readers" })).toBe(series);
    expect(registry.series({ page: "home" })).not.toBe(series);
    expect(count(registry)).toBe(2);
  });

  test("does not confuse tags that look alike when they are joined into one text", () => {
    const registry = new MetricRegistry(testCatalog(), createMask([]));
    const tags = [{ a: "b,c:d" }, { a: "b", c: "d" }, { a: 'b","c":"d' }, { "a,b": "c:d" }];
    expect(new Set(tags.map((one) => registry.series(one))).size).toBe(tags.length);
  });

  test("refuses a metric that the test does not have, and one of another type", () => {
    const series = new MetricRegistry(testCatalog(), createMask([])).series({});
    expect(() => series.counter("nothing")).toThrow("no metric is called nothing");
    expect(() => series.trend("http_reqs")).toThrow("http_reqs is a counter, not a trend");
    expect(series.counter("coupons_used")).toBe(series.counter("coupons_used"));
  });

  test("masks secrets in the names and the values of tags", () => {
    const registry = new MetricRegistry(testCatalog(), createMask(["correct-horse"]));
    const tags = { page: "of correct-horse", "user correct-horse": "ann", note: "none" };
    expect(registry.series(tags).tags).toEqual({ page: "of ***", "user ***": "ann", note: "none" });
    const harmless = { note: "by ann" };
    expect(registry.series(harmless).tags).toEqual(harmless);
  });

  test("puts samples beyond 2,000 combinations of tags into (other), and keeps totals exact", () => {
    const registry = new MetricRegistry(testCatalog(), createMask([]));
    for (let user = 0; user < 5000; user++) {
      registry
        .series({ scenario: "readers", user: String(user) })
        .counter("coupons_used")
        .add(1);
    }
    expect(count(registry)).toBe(2001);
    expect(registry.overflowed).toEqual({ scenario: "readers", user: "2000" });
    expect(registry.foldedTags).toEqual(["user"]);
    expect(registry.series({ scenario: "readers", user: "x" }).tags).toEqual({
      scenario: "readers",
      user: "(other)",
    });
    const store = new SeriesStore();
    store.add(0, new SnapshotTaker(registry).take());
    const total = store.select({ metric: "coupons_used", filters: [] });
    expect(total?.type === "counter" ? total.total : null).toBe(5000);
    const other = [...store.all()].find(({ tags }) => tags["user"] === "(other)");
    const inOther = other?.metrics.get("coupons_used");
    expect(inOther?.type === "counter" ? inOther.total : null).toBe(3000);
  });

  test("stays bounded when requests are already named (other)", () => {
    const registry = new MetricRegistry(testCatalog(), createMask([]));
    for (let user = 0; user < 5000; user++) {
      registry
        .series({ scenario: "s", name: "(other)", user: String(user) })
        .counter("http_reqs")
        .add(1);
    }
    expect(count(registry)).toBeLessThanOrEqual(2001);
  });

  test("still distinguishes samples in (other) by bearhug's own tags", () => {
    const registry = new MetricRegistry(testCatalog(), createMask([]));
    for (let user = 0; user < 2000; user++) registry.series({ user: String(user) });
    expect(registry.foldedTags).toEqual([]);
    const own = {
      scenario: "a",
      status: "500",
      method: "GET",
      protocol: "HTTP/1.1",
      expected_response: "false",
    };
    const builtIn = { ...own, name: "GET /x", page: "home", group: "g", check: "is fine" };
    const tags = { ...builtIn, user: "1" };
    expect(registry.series(tags).tags).toEqual({ ...builtIn, user: "(other)" });
    expect(registry.series({ ...tags, user: "2" })).toBe(registry.series(tags));
    expect(registry.series({ ...tags, scenario: "b" })).not.toBe(registry.series(tags));
    expect(registry.series(builtIn).tags).toEqual(builtIn);
    expect(registry.foldedTags).toEqual(["user"]);
  });

  test("distinguishes pages, groups, names and checks up to 3,000 series, and then puts them into (other), too", () => {
    const registry = new MetricRegistry(testCatalog(), createMask([]));
    for (let name = 0; name < 3000; name++)
      registry
        .series({ name: `GET /${name}` })
        .counter("http_reqs")
        .add(1);
    expect(count(registry)).toBe(3000);
    expect(registry.foldedTags).toEqual([]);
    const few = {
      scenario: "a",
      status: "500",
      method: "GET",
      protocol: "HTTP/1.1",
      expected_response: "false",
    };
    const tags = { ...few, name: "GET /x", page: "home", group: "g", check: "is fine", user: "1" };
    const other = "(other)";
    expect(registry.series(tags).tags).toEqual({
      ...few,
      name: other,
      page: other,
      group: other,
      check: other,
      user: other,
    });
    expect([...registry.foldedTags].sort()).toEqual(["check", "group", "name", "page", "user"]);
    expect(registry.series({ name: "GET /7" }).tags).toEqual({ name: "GET /7" });
    for (let name = 3000; name < 9000; name++)
      registry
        .series({ name: `GET /${name}` })
        .counter("http_reqs")
        .add(1);
    expect(count(registry)).toBe(3002);
    const store = new SeriesStore();
    store.add(0, new SnapshotTaker(registry).take());
    expect(store.select({ metric: "http_reqs", filters: [] })).toMatchObject({ total: 9000 });
  });

  test("has room for 20,000 places", () => {
    const registry = new MetricRegistry(testCatalog(), createMask([]));
    const taken = Array.from({ length: 20_001 }, () => registry.reserveEntry());
    expect(taken.indexOf(false)).toBe(20_000);
  });

  test("counts the characters of tags once for each metric under them", () => {
    const registry = new MetricRegistry(testCatalog(), createMask([]));
    const user = "u".repeat(4_000_000);
    const series = registry.series({ user });
    for (const name of ["http_reqs", "coupons_used", "iterations"]) series.counter(name).add(1);
    expect(registry.series({ user: "next" }).tags).toEqual({ user: "next" });
    series.gauge("queue_length").add(1);
    series.counter("http_reqs").add(1);
    expect(registry.series({ user: "last" }).tags).toEqual({ user: "(other)" });
  });

  test("keeps the last value of a gauge, and its extremes", () => {
    const registry = new MetricRegistry(testCatalog(), createMask([]));
    for (const value of [3, 9, 1, 4]) registry.series({}).gauge("queue_length").add(value);
    const [delta] = new SnapshotTaker(registry).take();
    expect(delta?.metrics["queue_length"]).toEqual({
      type: "gauge",
      value: 4,
      min: 1,
      max: 9,
      sum: 17,
      samples: 4,
    });
  });

  test("records what was folded elsewhere: the first tags for the warning, and each tag that differs", () => {
    const registry = new MetricRegistry(testCatalog(), createMask([]));
    registry.recordFolded({ page: "a", user: "1" }, { page: "(other)", user: "1" });
    registry.recordFolded({ user: "2" }, { user: "(other)" });
    expect(registry.overflowed).toEqual({ page: "a", user: "1" });
    expect(registry.foldedTags).toEqual(["page", "user"]);
  });
});

describe("a snapshot", () => {
  test("contains what was recorded since the last one, with a series' tags only the first time", () => {
    const registry = new MetricRegistry(testCatalog(), createMask([]));
    const taker = new SnapshotTaker(registry);
    const home = registry.series({ page: "home" });
    const other = registry.series({ page: "cart" });
    home.counter("coupons_used").add(3);
    expect(taker.take()).toEqual([
      { id: 0, tags: { page: "home" }, metrics: { coupons_used: { type: "counter", total: 3, samples: 1 } } },
    ]);
    expect(taker.take()).toEqual([]);
    other.rate("found").add(true);
    home.counter("coupons_used").add(4);
    expect(taker.take()).toEqual([
      { id: 0, tags: null, metrics: { coupons_used: { type: "counter", total: 4, samples: 1 } } },
      { id: 1, tags: { page: "cart" }, metrics: { found: { type: "rate", trues: 1, samples: 1 } } },
    ]);
  });

  test("is plain data that can cross threads", () => {
    const registry = new MetricRegistry(testCatalog(), createMask([]));
    registry.series({ page: "home" }).trend("basket_size").add(12.5);
    const deltas = new SnapshotTaker(registry).take();
    expect(structuredClone(deltas)).toEqual(deltas);
  });
});
