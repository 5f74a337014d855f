import { readFileSync } from "node:fs";
import { join } from "node:path";

import { Trend } from "@bearhug/metrics/trend";
import type { IntervalResult, TestResult } from "@bearhug/sdk";
import fc from "fast-check";
import { build, HistogramLogReader } from "hdr-histogram-js";
import { describe, expect, test } from "vitest";

import { renderIntervalLog } from "../../src/hdr/interval-log.ts";
import { renderPercentileText } from "../../src/hdr/percentile-text.ts";
import { renderSummary } from "../../src/terminal/summary.ts";
import { resultOf } from "../result-of.ts";

/** A log, and the text that HistogramLogProcessor of HdrHistogram 2.2.2 for Java wrote for it with -outputValueUnitRatio 1000. */
const reference = {
  log: readFileSync(join(import.meta.dirname, "golden/reference.hlog"), "utf8"),
  text: readFileSync(join(import.meta.dirname, "golden/reference.hgrm"), "utf8"),
};

function intervalOf(atMs: number, times: Partial<IntervalResult>): IntervalResult {
  const counts = { vus: 1, http_reqs: 0, http_reqs_failed: 0, iterations: 0, dropped: 0, bytes: 0 };
  return { atMs, widthMs: 1000, ...counts, duration: null, responseTime: null, ...times };
}

function trendOf(times: readonly number[], precision: 2 | 3 = 3): Trend {
  const trend = new Trend(precision);
  for (const ms of times) trend.add(ms);
  return trend;
}

/** Returns a result with these response times in each second. */
function runOf(seconds: readonly (readonly number[])[], precision: 2 | 3 = 3): TestResult {
  return resultOf({
    intervals: seconds.map((times, index) =>
      intervalOf((index + 1) * 1000, { responseTime: trendOf(times, precision).encode() }),
    ),
  });
}

/** Returns the result from which a log was written, with the fields that the log contains. */
function runOfLog(log: string): TestResult {
  const startSeconds = Number(/StartTime: ([\d.]+)/.exec(log)?.[1]);
  return resultOf({
    startedAt: new Date(Math.round(startSeconds * 1000)).toISOString(),
    intervals: log.split("\n").flatMap((line) => {
      const [, start, width, responseTime = ""] = /^([\d.]+),([\d.]+),[\d.]+,(.+)$/.exec(line) ?? [];
      if (start === undefined) return [];
      const [startMs, widthMs] = [Number(start) * 1000, Number(width) * 1000];
      return [intervalOf(startMs + widthMs, { widthMs, responseTime })];
    }),
  });
}

const seconds = fc.array(fc.array(fc.integer({ min: 0, max: 90_000_000 }), { maxLength: 50 }), {
  minLength: 1,
  maxLength: 5,
});

describe("--out hgrm", () => {
  test("matches exactly what HdrHistogram for Java writes for the log", () => {
    const [, , ...lines] = reference.text.split("\n");
    expect(renderPercentileText(runOfLog(reference.log)).split("\n")).toEqual(lines);
  });

  test("has no values for a run without response times", () => {
    expect(renderPercentileText(resultOf({}))).toMatchInlineSnapshot(`
      "       Value     Percentile TotalCount 1/(1-Percentile)

      #[Mean    =        0.000, StdDeviation   =        0.000]
      #[Max     =        0.000, Total count    =            0]
      #[Buckets =           16, SubBuckets     =         2048]
      "
    `);
  });

  test("states which values are lower bounds", () => {
    const trend = trendOf([1, 2]);
    trend.addLowerBound(500);
    const run = resultOf({
      intervals: [
        intervalOf(1000, {
          responseTime: trend.encode(),
          responseTimeCensored: { samples: 1, from: 500 },
        }),
        intervalOf(2000, {}),
      ],
    });
    expect(renderPercentileText(run)).toMatch(
      /\n#\[Values from 500\.000 on are lower bounds: 1 request was cut off\]\n$/,
    );
  });

  test("keeps two digits for a result of an earlier release, whose intervals have two", () => {
    const text = renderPercentileText(runOf([[10, 20], [30]], 2));
    expect(text).toContain("SubBuckets     =          256]");
    expect(text).toContain("Total count    =            3]");
  });

  test("shows the other client of a run without HTTP", () => {
    const tcp = { operations: 1, failed: 0, duration: null, responseTime: trendOf([7]).encode() };
    const run = resultOf({ intervals: [intervalOf(1000, { clients: { tcp } })] });
    expect(renderPercentileText(run)).toContain("#[Max     =        7.003, Total count    =            1]");
  });
});

test("--latency shows the same text in the summary, for each client", () => {
  const tcp = { operations: 1, failed: 0, duration: null, responseTime: trendOf([7]).encode() };
  const run = resultOf({
    intervals: [intervalOf(1000, { responseTime: trendOf([5]).encode(), clients: { tcp } })],
  });
  const appearance = { colors: false, width: 80, unicode: true };
  const text = renderSummary(run, appearance, { hasLatency: true });
  const own = renderPercentileText(run).replaceAll(/^(?=.)/gm, "  ");
  expect(text).toContain(`\nResponse times  in ms\n${own}`);
  expect(text).toMatch(/\nResponse times {2}of tcp, in ms\n[^#]*#\[.*\n.*Max {5}= {8}7\.003, Total count/);
  expect(renderSummary(run, appearance)).not.toContain("Response times");
});

describe("--out hlog", () => {
  test("matches exactly the log that HdrHistogram for Java, Python and C can read", () => {
    expect(renderIntervalLog(runOfLog(reference.log))).toBe(reference.log);
  });

  test("gives a reader the percentiles of the whole run", () => {
    fc.assert(
      fc.property(seconds, fc.constantFrom(50, 90, 99, 99.9), (runs, percentile) => {
        const run = runOf(runs.map((times) => times.map((microseconds) => microseconds / 1000)));
        const reader = new HistogramLogReader(renderIntervalLog(run));
        const whole = new Trend(3);
        for (const times of runs) for (const microseconds of times) whole.add(microseconds / 1000);
        const all = build({ numberOfSignificantValueDigits: 3, highestTrackableValue: 100_000_000 });
        for (let one = reader.nextIntervalHistogram(); one !== null; one = reader.nextIntervalHistogram())
          all.add(one);
        expect(all.totalCount).toBe(whole.count);
        // HdrHistogram returns the highest value of a bucket, but results never exceed the greatest sample.
        const read = Math.min(all.getValueAtPercentile(percentile), Math.max(0, whole.max));
        if (whole.count > 0) expect(read / 1000).toBe(whole.percentile(percentile));
      }),
      { numRuns: 30 },
    );
  });

  test("has the start and end of each interval, and omits those without samples", () => {
    const reader = new HistogramLogReader(renderIntervalLog(runOf([[5], [], [6, 7]])));
    const startMs = Date.parse("2026-11-20T20:00:00.000Z");
    const read = [reader.nextIntervalHistogram(), reader.nextIntervalHistogram()];
    expect(read.map((one) => [one?.startTimeStampMsec, one?.endTimeStampMsec, one?.totalCount])).toEqual([
      [startMs, startMs + 1000, 1],
      [startMs + 2000, startMs + 3000, 2],
    ]);
    expect(reader.nextIntervalHistogram()).toBeNull();
  });

  test("tags the lines of other clients with their name", () => {
    const times = { operations: 1, failed: 0, duration: null, responseTime: trendOf([7]).encode() };
    const run = resultOf({
      intervals: [intervalOf(1000, { responseTime: trendOf([5]).encode(), clients: { "a, b": times } })],
    });
    const reader = new HistogramLogReader(renderIntervalLog(run));
    const tags = [reader.nextIntervalHistogram(), reader.nextIntervalHistogram()].map((one) => one?.tag);
    expect(tags).toEqual(["NO TAG", "a__b"]);
  });
});
