import { gunzipSync } from "node:zlib";

import { Trend } from "@bearhug/metrics/trend";
import { parseResult } from "@bearhug/sdk";
import { formatRate } from "@bearhug/text/number";
import { describe, expect, test } from "vitest";

import { gatherDownload } from "../../src/html/download-data.ts";
import { varied } from "../varied-result.ts";
import { describeTarget } from "../../src/model/sweep.ts";
import { gatherPageData } from "../../src/html/gather-page-data.ts";
import { resultOf } from "../result-of.ts";
import { lostWorker, passed, refused } from "../results.ts";
import { swept } from "./swept-result.ts";
import { allDurations, secondsOfDurations, timed } from "./timed-result.ts";

const data = gatherPageData(timed);

function lineOf(chart: string, label: string): readonly (number | null)[] {
  const found = data.timeline?.charts
    .find(({ id }) => id === chart)
    ?.lines.find((one) => one.label === label);
  return found?.values ?? [];
}

function nearestRank(values: readonly number[], percentile: number): number | undefined {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.max(0, Math.ceil((percentile / 100) * sorted.length) - 1)];
}

describe("charts over time", () => {
  test.each([
    ["p50", 50],
    ["p95", 95],
    ["p99", 99],
  ])(
    "%s of each interval is the percentile of its samples, within the histogram's 1 %%",
    (label, percentile) => {
      const line = lineOf("durations", label);
      expect(line).toHaveLength(secondsOfDurations.length);
      for (const [second, durations] of secondsOfDurations.entries()) {
        const expected = nearestRank(durations, percentile);
        if (expected === undefined) expect(line[second]).toBeNull();
        else expect(Math.abs((line[second] ?? 0) / expected - 1)).toBeLessThan(0.01);
      }
    },
  );

  test("counts are divided by the width of their interval", () => {
    const [first, ...others] = timed.intervals;
    const wider = resultOf({ ...timed, intervals: [{ ...first!, widthMs: 500 }, ...others] });
    const line = gatherPageData(wider).timeline?.charts.find(({ id }) => id === "requests")?.lines[0];
    expect(line?.values.slice(0, 2)).toEqual([2 * first!.http_reqs, others[0]!.http_reqs]);
  });

  test("a last interval of a tenth of a second is averaged with the second before", () => {
    const last = { ...timed.intervals[28]!, iterations: 10, http_reqs: 900 };
    const short = { ...timed.intervals[29]!, widthMs: 100, iterations: 12, http_reqs: 90 };
    const ended = resultOf({ ...timed, intervals: [...timed.intervals.slice(0, 28), last, short] });
    const charts = gatherPageData(ended).timeline?.charts ?? [];
    const valuesOf = (id: string) => charts.find((chart) => chart.id === id)?.lines[0]?.values.slice(-2);
    expect(valuesOf("iterations")).toEqual([10, 20]);
    expect(valuesOf("requests")).toEqual([900, 900]);
  });

  test("failures and drops have lines only if there are any", () => {
    expect(lineOf("requests", "failed")).toEqual(timed.intervals.map((one) => one.http_reqs_failed));
    expect(lineOf("iterations", "due").at(-1)).toBe(12);
    const calm = timed.intervals.map((one) => ({ ...one, http_reqs_failed: 0, dropped: 0 }));
    const charts = gatherPageData(resultOf({ ...timed, intervals: calm })).timeline?.charts ?? [];
    expect(charts.flatMap(({ lines }) => lines.map(({ label }) => label))).not.toContain("failed");
    expect(charts.flatMap(({ lines }) => lines.map(({ label }) => label))).not.toContain("dropped");
  });

  test("the heat map counts each sample once, in the row of its duration", () => {
    const { boundsMs = [], cells = [] } = data.timeline?.heatMap ?? {};
    for (const [second, column] of cells.entries()) {
      const durations = secondsOfDurations[second] ?? [];
      expect(column.reduce((sum, [, count]) => sum + count, 0)).toBe(durations.length);
      for (const [row, count] of column) {
        // A histogram is exact to 1 %, so a value near a bound may be counted on its other side.
        const [low, high] = [boundsMs[row]! * 0.99, boundsMs[row + 1]! * 1.01];
        expect(durations.filter((ms) => ms >= low && ms <= high).length).toBeGreaterThanOrEqual(count);
      }
    }
  });

  test("a run without intervals has no charts over time", () => {
    expect(gatherPageData(refused)).toMatchObject({ timeline: null, percentiles: null });
  });
});

describe("the curve of percentiles", () => {
  const curve = data.percentiles!;

  test("has the percentiles of all samples, within the histogram's 0.1 %", () => {
    const sorted = allDurations.toSorted((left, right) => left - right);
    for (const [at, percentile] of curve.percentiles.entries()) {
      const expected = sorted[Math.max(0, Math.ceil((percentile / 100) * sorted.length) - 1)] ?? 0;
      expect(Math.abs((curve.valuesMs[at] ?? 0) / expected - 1)).toBeLessThan(0.001);
    }
  });

  test("is within its confidence band, which ends where there are too few samples", () => {
    for (const [at, value] of curve.valuesMs.entries()) {
      const [low, high] = [curve.lowMs[at], curve.highMs[at]];
      if (low === null || high === null) continue;
      expect(low).toBeLessThanOrEqual(value);
      expect(high).toBeGreaterThanOrEqual(value);
    }
    expect(curve.lowMs.filter((low) => low !== null).length).toBeGreaterThan(20);
    expect(curve.highMs.at(-1)).toBeNull();
  });

  test("is computed from the intervals if a series has no histogram", () => {
    const [first, second] = timed.series;
    const folded = resultOf({ ...timed, series: [first!, { ...second!, histogram: null }] });
    const values = gatherPageData(folded).percentiles!.valuesMs;
    for (const [at, value] of values.entries())
      expect(Math.abs(value / curve.valuesMs[at]! - 1)).toBeLessThan(0.01);
  });
});

describe("the charts of a sweep", () => {
  const [comparison] = gatherPageData(swept).comparisons;
  const chartOf = (id: string) => comparison?.charts.find((chart) => chart.id === `sweep-${id}`);

  test("have the figures of each target at each load, and no value where a target was not tried", () => {
    expect(comparison?.places).toEqual(["2 VUs", "4 VUs", "8 VUs", "16 VUs", "32 VUs", "64 VUs"]);
    const [cached, plain] = chartOf("throughput")?.lines ?? [];
    expect(cached?.label).toBe("cached: all");
    expect(cached?.values).toEqual(swept.sweep?.targets[0]?.steps.map(({ rate }) => rate));
    expect(plain?.values.slice(0, 5)).toEqual(swept.sweep?.targets[1]?.steps.map(({ rate }) => rate));
    expect(plain?.values[5]).toBeNull();
    expect(chartOf("times")?.lines[1]?.values[5]).toBe(swept.sweep?.targets[0]?.steps[5]?.times?.p99);
  });

  test("are accompanied by the sweep's findings", () => {
    expect(comparison?.sentences.join("\n")).toContain("plain: Stopped at 32 VUs because");
    expect(gatherPageData(timed).comparisons).toEqual([]);
  });

  test("come after a title with all targets, and a request rate from the best step", () => {
    const { title, figures } = gatherPageData(swept);
    expect(title).toBe("Sweep of cached and plain");
    const step = swept.sweep?.targets[0]?.steps[5];
    const card = figures.find(({ label }) => label === "Requests");
    expect(card?.text).toBe(formatRate(step?.rate ?? 0));
    expect(card?.detail).toMatch(/ in the best step, at 64 VUs$/);
  });

  test("do not describe a scalability law that is off by more than half", () => {
    const [target] = swept.sweep?.targets.slice(1) ?? [];
    const worse = { ...target!, scalability: { ...target!.scalability!, worstError: 3.958 } };
    const sentences = describeTarget(worse, "vus").join("\n");
    expect(sentences).toContain(
      "Scalability: no law fits. The best one is off by 395.8 % at one of the 5 steps.",
    );
    expect(sentences).not.toContain("contention");
  });
});

describe("variants", () => {
  const times = new Trend(3);
  for (let ms = 1; ms <= 100; ms++) times.add(ms);
  const data = gatherPageData({
    ...varied,
    ...(varied.variants && {
      variants: {
        ...varied.variants,
        variants: varied.variants.variants.map((one, at) => ({
          ...one,
          histogram: at === 0 ? times.encode() : null,
        })),
      },
    }),
  });

  test("are lines of one chart over percentiles, with findings", () => {
    const [comparison] = data.comparisons;
    expect(comparison).toMatchObject({ id: "variants", axis: "percentile" });
    expect(comparison?.places).toEqual(["p10", "p25", "p50", "p75", "p90", "p95", "p99", "p99.9"]);
    const [raw, brotli] = comparison?.charts[0]?.lines ?? [];
    expect(raw?.label).toBe("raw");
    expect(raw?.values[2]).toBeCloseTo(50, 0);
    expect(brotli?.values).toEqual(Array(8).fill(null));
    expect(comparison?.sentences).toContain(
      "Accept-Encoding: brotli: no clear difference in requests/s, p99, failed",
    );
  });

  test("have tables of their figures and differences", () => {
    const table = data.tables.find(({ id }) => id === "variant-figures");
    expect(table?.rows.map(({ cells }) => cells[0]?.text)).toEqual(["raw", "Accept-Encoding: brotli", "min"]);
    const differences = data.tables.find(({ id }) => id === "variant-differences");
    expect(differences?.title).toBe("Against raw");
    expect(differences?.rows[0]?.cells.map(({ text }) => text).slice(0, 3)).toEqual([
      "Accept-Encoding: brotli",
      "wire",
      "−68.0 %",
    ]);
  });
});

describe("tables", () => {
  test("have the same values as the result", () => {
    const requests = gatherPageData(passed).tables.find(({ id }) => id === "requests")!;
    const flaky = requests.rows.find(({ cells }) => cells[0]?.text === "GET /flaky")!;
    const columns = requests.columns.map(({ title }) => title);
    const valueOf = (title: string) => flaky.cells[columns.indexOf(title)]?.value;
    const duration = passed.names.find(({ name }) => name === "GET /flaky")!.metrics["http_req_duration"];
    expect([valueOf("count"), valueOf("failed")]).toEqual([400, 20]);
    expect(duration?.values).toMatchObject({ "p(95)": valueOf("p95"), max: valueOf("max") });
  });

  test("without rows are omitted", () => {
    expect(gatherPageData(resultOf({})).tables).toEqual([]);
    expect(gatherPageData(lostWorker).tables.map(({ id }) => id)).toContain("workers");
  });
});

describe("the result that the page offers for download", () => {
  test("is the document itself", () => {
    const document: unknown = JSON.parse(
      gunzipSync(Buffer.from(data.download!.gzipped, "base64")).toString(),
    );
    expect(parseResult(document).result).toEqual(timed);
  });

  test("omits parts that would make the page too large, with a note about it", () => {
    const whole = data.download!.gzipped.length;
    const smaller = gatherDownload(timed, whole - 1);
    expect(smaller.note).toContain("Histograms of single series are left out");
    expect(smaller.gzipped.length).toBeLessThan(whole);
    const smallest = gatherDownload(timed, smaller.gzipped.length - 1);
    expect(smallest.note).toContain("Single series are left out");
    expect(smallest.gzipped.length).toBeLessThan(smaller.gzipped.length);
  });
});
