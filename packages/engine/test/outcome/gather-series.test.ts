import { metricCatalog } from "@bearhug/metrics/metric-catalog";
import { Trend } from "@bearhug/metrics/trend";
import { describe, expect, test } from "vitest";

import { builtInClients } from "../../src/built-in-clients.ts";
import { SeriesGatherer } from "../../src/outcome/gather-series.ts";

const catalog = metricCatalog({ clients: [], metrics: { token_wait: { type: "trend", unit: "ms" } } });

function trendOf(...values: number[]) {
  const trend = new Trend(3);
  for (const value of values) trend.add(value);
  return trend.toDelta();
}

describe("the series of a snapshot", () => {
  test("are merged over workers by metric and tags, in public units", () => {
    const gatherer = new SeriesGatherer();
    const [shop, other] = [{ scenario: "shop" }, { scenario: "other" }];
    const iterations = (total: number) => ({ type: "counter", total, samples: total }) as const;
    gatherer.add([{ tags: shop, metrics: { iterations: iterations(3), token_wait: trendOf(0, 1.5) } }]);
    gatherer.add([
      { tags: shop, metrics: { iterations: iterations(2), token_wait: trendOf(4) } },
      { tags: other, metrics: { iterations: iterations(9) } },
    ]);
    gatherer.add([
      { tags: {}, metrics: { vus: { type: "gauge", value: 7, min: 1, max: 9, sum: 20, samples: 4 } } },
    ]);
    gatherer.add([{ tags: shop, metrics: { checks: { type: "rate", trues: 2, samples: 5 } } }]);
    expect(gatherer.drain(catalog)).toEqual([
      { metric: "iterations", unit: null, tags: shop, type: "counter", sum: 5 },
      {
        metric: "token_wait",
        unit: "ms",
        tags: shop,
        type: "trend",
        count: 3,
        sum: 5.5,
        min: 0,
        max: 4,
        histogram: { upTo: [0, 1.5, 4.001], counts: [1, 1, 1] },
      },
      { metric: "checks", unit: null, tags: shop, type: "rate", passes: 2, total: 5 },
      { metric: "iterations", unit: null, tags: other, type: "counter", sum: 9 },
      { metric: "vus", unit: null, tags: {}, type: "gauge", value: 7 },
    ]);
  });

  test("have the phases of requests by scenario and page alone, like a result", () => {
    const gatherer = new SeriesGatherer();
    const place = { scenario: "shop", page: "home" };
    for (const name of ["GET /", "GET /style.css"])
      gatherer.add([{ tags: { ...place, name }, metrics: { http_req_waiting: trendOf(1) } }]);
    const described = gatherer.drain(metricCatalog({ clients: builtInClients, metrics: {} }));
    expect(described).toMatchObject([{ metric: "http_req_waiting", tags: place, count: 2 }]);
    expect(described).toHaveLength(1);
  });

  test("contain only samples since the last snapshot", () => {
    const gatherer = new SeriesGatherer();
    gatherer.add([{ tags: {}, metrics: { pages: { type: "counter", total: 3, samples: 3 } } }]);
    expect(gatherer.drain(catalog)).toHaveLength(1);
    expect(gatherer.drain(catalog)).toEqual([]);
  });
});
