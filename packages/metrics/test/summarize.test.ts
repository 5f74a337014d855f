import { describe, expect, test } from "vitest";

import { Counter, Gauge, Rate } from "../src/accumulator.ts";
import { summarizeMetric } from "../src/summarize.ts";
import { Trend } from "../src/trend.ts";

describe("a metric in public units", () => {
  test("of a counter is the total, and the total per second", () => {
    const counter = new Counter();
    counter.add(30);
    counter.add(20);
    expect(summarizeMetric(counter, null, 10_000)).toEqual({
      type: "counter",
      unit: null,
      values: { count: 50, rate: 5 },
    });
    expect(summarizeMetric(counter, null, 0)).toMatchObject({ values: { rate: 0 } });
  });

  test("of a rate is the share of trues", () => {
    const rate = new Rate();
    for (const value of [true, false, false, false]) rate.add(value);
    expect(summarizeMetric(rate, null, 1)).toEqual({
      type: "rate",
      unit: null,
      values: { rate: 0.25, passes: 1, fails: 3 },
    });
  });

  test("of a gauge is the last value with its extremes", () => {
    const gauge = new Gauge();
    for (const value of [1, 9, 4]) gauge.add(value);
    expect(summarizeMetric(gauge, "bytes", 1)).toEqual({
      type: "gauge",
      unit: "bytes",
      values: { value: 4, min: 1, max: 9 },
    });
  });

  test("of a trend is in milliseconds, with the requested percentiles beside the usual ones", () => {
    const trend = new Trend(3);
    for (let value = 1; value <= 1000; value++) trend.add(value / 10);
    const { values } = summarizeMetric(trend, "ms", 1, [95, 12.5]);
    expect(Object.keys(values)).toEqual([
      "count",
      "min",
      "avg",
      "med",
      "max",
      "p(50)",
      "p(90)",
      "p(95)",
      "p(99)",
      "p(99.9)",
      "p(12.5)",
    ]);
    expect(Object.keys(summarizeMetric(trend, "ms", 1).values).at(-1)).toBe("p(99.9)");
    expect(values).toMatchObject({ count: 1000, min: 0.1, avg: 50.05, max: 100 });
    expect(values).toHaveProperty("p(12.5)", expect.closeTo(12.5, 1));
    expect(values).toHaveProperty("med", expect.closeTo(50, 1));
  });

  test("of a trend has an interval for each percentile that has enough samples, and no others", () => {
    const trend = new Trend(3);
    for (let value = 1; value <= 1000; value++) trend.add(value / 1000);
    const summary = summarizeMetric(trend, "ms", 1, [12.5, 100]);
    expect(summary).toHaveProperty("confidence");
    const confidence = summary.type === "trend" ? summary.confidence : undefined;
    expect(Object.keys(confidence ?? {})).toEqual(["p(50)", "p(90)", "p(95)", "p(99)", "p(12.5)"]);
    expect(confidence?.["p(99)"]).toEqual([0.983, 0.998]);
    const few = new Trend(3);
    few.add(1);
    expect(summarizeMetric(few, "ms", 1)).not.toHaveProperty("confidence");
  });

  test("of a trend names the values that are only lower bounds, because samples were cut off", () => {
    const trend = new Trend(3);
    for (let value = 1; value <= 97; value++) trend.add(value / 100);
    for (const ms of [1.2, 1.3, 1.4]) trend.addLowerBound(ms);
    const summary = summarizeMetric(trend, "ms", 1);
    expect(summary).toMatchObject({
      lowerBounds: ["avg", "max", "p(99)", "p(99.9)"],
      censored: { samples: 3, from: 1.2 },
    });
    const exact = new Trend(3);
    exact.add(1);
    expect(summarizeMetric(exact, "ms", 1)).not.toHaveProperty("lowerBounds");
    expect(summarizeMetric(exact, "ms", 1)).not.toHaveProperty("censored");
  });
});
