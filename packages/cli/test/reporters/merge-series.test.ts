import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Trend } from "../../src/metrics/trend.ts";
import { decodeHistogram } from "../../src/reporters/compact-histogram.ts";
import { mergeRate, mergeTrend, tagValues } from "../../src/reporters/merge-series.ts";
import { resultOf, trendSeries } from "./result-of.ts";

const milliseconds = fc.array(fc.double({ min: 0, max: 3_600_000, noNaN: true }), {
  minLength: 1,
  maxLength: 60,
});

test("series merged from the document say what one trend over all their values says", () => {
  fc.assert(
    fc.property(fc.array(milliseconds, { minLength: 1, maxLength: 4 }), (parts) => {
      const whole = new Trend(3);
      for (const value of parts.flat()) whole.add(value);
      const result = resultOf({
        series: parts.map((values, index) =>
          trendSeries("page_duration", { page: "home", part: `${index}` }, values),
        ),
      });
      const merged = mergeTrend(result, "page_duration", "page", "home");
      expect(merged?.count).toBe(whole.count);
      for (const percentile of [50, 90, 95, 99] as const) {
        const [got, wanted] = [merged?.[`p(${percentile})`] ?? merged?.med, whole.percentile(percentile)];
        // The document's own extremes are not rounded to microseconds.
        expect(Math.abs((got ?? NaN) - wanted)).toBeLessThanOrEqual(0.0006);
      }
    }),
  );
});

describe("other tags, other metrics", () => {
  const result = resultOf({
    series: [
      trendSeries("http_req_duration", { name: "GET /a" }, [1, 2, 3]),
      trendSeries("http_req_duration", { name: "GET /b" }, [100]),
      trendSeries("http_req_waiting", { name: "GET /a" }, [7]),
      {
        metric: "http_req_failed",
        tags: { name: "GET /a", status: "200" },
        values: { rate: 0, passes: 0, fails: 3 },
        histogram: null,
      },
      {
        metric: "http_req_failed",
        tags: { name: "GET /a", status: "500" },
        values: { rate: 1, passes: 1, fails: 0 },
        histogram: null,
      },
    ],
  });

  test("are left out", () => {
    expect(mergeTrend(result, "http_req_duration", "name", "GET /a")).toMatchObject({
      count: 3,
      min: 1,
      avg: 2,
      max: 3,
    });
    expect(mergeTrend(result, "http_req_duration", "name", "GET /c")).toBeUndefined();
    expect(mergeRate(result, "http_req_failed", "name", "GET /a")).toEqual({ passes: 1, samples: 4 });
    expect(tagValues(result, "http_req_duration", "name")).toEqual(["GET /a", "GET /b"]);
  });
});

test("where a histogram cannot be read there are no percentiles, and all else", () => {
  const [series] = resultOf({ series: [trendSeries("page_duration", { page: "home" }, [1, 3])] }).series;
  const result = resultOf({ series: [{ ...series!, histogram: "not one" }] });
  expect(mergeTrend(result, "page_duration", "page", "home")).toEqual({ count: 2, min: 1, avg: 2, max: 3 });
});

test("no text makes the decoder throw", () => {
  fc.assert(fc.property(fc.oneof(fc.string(), fc.base64String()), (text) => void decodeHistogram(text)));
});
