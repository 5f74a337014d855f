import { describe, expect, test } from "vitest";

import { Totals } from "../../src/sinks/totals.ts";
import { ClassicBuckets } from "../../src/sinks/prometheus/classic-buckets.ts";
import { counterOf, rateOf, trendOf } from "./series-of.ts";

function create(): Totals<ClassicBuckets> {
  return new Totals((unit) => new ClassicBuckets(unit));
}

/** Returns each series as [metric, tags, totals]. */
function contents(totals: Totals<ClassicBuckets>): unknown[] {
  return [...totals.metrics].flatMap(({ metric, series }) =>
    Array.from(series.values(), ({ tags, totals: found }) => [metric, tags, found]),
  );
}

describe("the totals of a run", () => {
  test("are summed by metric and tags, with durations in seconds", () => {
    const totals = create();
    const shop = { scenario: "shop", page: "home" };
    totals.add([counterOf("pages", 2, shop), rateOf("checks", 1, 3), trendOf("page_duration", [100, 300])]);
    totals.add([
      counterOf("pages", 5, { page: "home", scenario: "shop" }),
      rateOf("checks", 2, 2),
      trendOf("page_duration", [50]),
      { type: "gauge", metric: "vus", unit: null, tags: {}, value: 8 },
      { type: "gauge", metric: "vus", unit: null, tags: {}, value: 3 },
    ]);
    expect(contents(totals)).toEqual([
      ["pages", shop, { type: "counter", sum: 7 }],
      ["checks", {}, { type: "rate", passes: 3, total: 5 }],
      ["page_duration", {}, expect.objectContaining({ count: 3, sum: 0.45, min: 0.05, max: 0.3 })],
      ["vus", {}, { type: "gauge", value: 3 }],
    ]);
  });

  test("have the unit in the name of an exporter's gauge, and its value unchanged", () => {
    const totals = create();
    const gauge = { type: "gauge", tags: {}, value: 2.5, unit: null } as const;
    totals.add([
      ...["db.lag_seconds", "db.hit_ratio", "vus"].map((metric) => ({ ...gauge, metric })),
      counterOf("spent_seconds", 2),
    ]);
    const units = [...totals.metrics].map(({ metric, unit }) => [metric, unit]);
    expect(units).toEqual([
      ["db.lag_seconds", "seconds"],
      ["db.hit_ratio", "ratio"],
      ["vus", null],
      ["spent_seconds", null],
    ]);
    expect(contents(totals)[0]).toEqual(["db.lag_seconds", {}, { type: "gauge", value: 2.5 }]);
  });

  test("are the same whether they are added directly or merged later", () => {
    const [first, second] = [
      [counterOf("pages", 2), rateOf("checks", 1, 3), trendOf("page_duration", [1, 70_000])],
      [counterOf("pages", 1), rateOf("checks", 0, 1), trendOf("page_duration", [20]), counterOf("new", 1)],
    ];
    const [atOnce, merged, later] = [create(), create(), create()];
    atOnce.add([...first, ...second]);
    merged.add(first);
    later.add(second);
    merged.merge(later);
    expect(contents(merged)).toEqual(contents(atOnce));
  });

  test("fold series beyond a limit into one per scenario, and lose no sample", () => {
    const totals = create();
    const names = Array.from({ length: 1200 }, (_, index) => ({ scenario: "shop", name: `GET /${index}` }));
    totals.add(names.map((tags) => trendOf("http_req_duration", [1], tags)));
    const series = [...totals.metrics].flatMap((metric) => [...metric.series.values()]);
    expect(totals.hasFolded).toBe(true);
    expect(series).toHaveLength(1001);
    expect(series.at(-1)).toMatchObject({
      tags: { scenario: "shop", name: "(other)" },
      totals: { count: 200 },
    });
  });
});
