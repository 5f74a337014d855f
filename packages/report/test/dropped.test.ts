import type { SeriesResult, TestResult } from "@bearhug/sdk";
import { describe, expect, test } from "vitest";

import { renderSummary } from "../src/terminal/summary.ts";
import { resultOf, trendMetric, trendSeries } from "./result-of.ts";
import { stalled } from "./stalled-result.ts";

/** Returns the summary as one line, so that a test can search for a sentence. */
const summaryOf = (result: TestResult): string =>
  renderSummary(result, { colors: false, width: 120, unicode: true }).replaceAll(/\s+/g, " ");

const counter = (metric: string, tags: Record<string, string>, count: number): SeriesResult => ({
  metric,
  tags,
  values: { count, rate: count / 10 },
  histogram: null,
});
const drops = (reason: string, count: number, scenario = "visitors"): SeriesResult =>
  counter("dropped_iterations", { scenario, reason }, count);

/** Returns a result with the first scenarios of the stalled one and the drops that its series count. */
function dropping(
  series: readonly SeriesResult[],
  scenarios = 1,
  parts: Partial<TestResult> = {},
): TestResult {
  const { accounting, plan } = stalled;
  const dropped = series
    .filter(({ metric }) => metric === "dropped_iterations")
    .reduce((sum, { values }) => sum + (values["count"] ?? 0), 0);
  return resultOf({
    plan: { ...plan, scenarios: plan.scenarios.slice(0, scenarios) },
    accounting: { ...accounting, iterations: { ...accounting.iterations, dropped } },
    series: [...series],
    ...parts,
  });
}

/** Returns series of 20 iterations, each with these sequential or parallel requests. */
function load(iterationMs: number, requestsMs: readonly number[], scenario = "visitors"): SeriesResult[] {
  const times = 20;
  const tags = { scenario, name: "GET /" };
  const durations = Array.from({ length: times }, () => requestsMs).flat();
  return [
    trendSeries("iteration_duration", { scenario }, Array<number>(times).fill(iterationMs)),
    ...(durations.length === 0 ? [] : [trendSeries("http_req_duration", tags, durations)]),
    counter("http_reqs", tags, durations.length),
  ];
}

const neutral =
  "Raise maxVUs. If drops continue or responses get slower, this is the limit of the target or of the generator.";
const limit =
  "They spent most of their time waiting for responses: raise maxVUs. If the target cannot take more";
const own =
  /At most \d+ % of their time was spent in requests, .* such as in sleep and think: raise maxVUs\./;

describe("the advice for iterations that were dropped because every VU was busy", () => {
  test("is neutral if there is no data about the VUs' time", () => {
    const text = summaryOf(dropping([drops("busy", 1204)]));
    expect(text).toContain(`1204 iterations were dropped: all VUs were busy. ${neutral}`);
  });

  test.for<[string, SeriesResult[], string | RegExp]>([
    ["with the target", load(100, [95]), limit],
    ["with the target, whose requests came one after the other", load(100, [90, 2, 2]), neutral],
    ["with parallel requests of the target", load(100, [99, 98, 97]), limit],
    ["with sleeping", load(1000, [5, 10]), own],
    ["with no request at all", load(1000, []), own],
    ["with both", load(100, [50]), neutral],
    // Their total exceeds the iteration's duration, so their share of it is unknown.
    ["with short parallel requests", load(100, [40, 40, 40]), neutral],
  ])("%s", ([, series, words]) => {
    const text = summaryOf(dropping([drops("busy", 12), ...series]));
    for (const known of [neutral, limit, own]) {
      if (known === words) expect(text).toMatch(known);
      else expect(text).not.toMatch(known);
    }
  });

  test("does not blame the test if requests never connected, because their duration is unknown", () => {
    const refused = counter("http_reqs", { scenario: "visitors", name: "GET /", status: "0" }, 3);
    expect(summaryOf(dropping([drops("busy", 12), ...load(1000, [5]), refused]))).toContain(neutral);
  });

  const hung =
    "They were waiting for requests that the target never answered: more VUs would hang too. Find out why";

  test("says that more VUs would not help if unanswered requests took most of the time", () => {
    const unanswered = [
      ...load(10, [9]),
      trendSeries("iteration_duration", { scenario: "visitors", status: "0" }, Array<number>(5).fill(3000)),
      trendSeries("http_req_duration", { scenario: "visitors", status: "0" }, Array<number>(5).fill(3000)),
    ];
    const text = summaryOf(dropping([drops("busy", 12), ...unanswered]));
    expect(text).toContain(hung);
    expect(text).not.toMatch(/raise maxVUs/i);
  });

  test("says the same if interrupted requests held the VUs, unless other requests took most of the time", () => {
    const [request] = stalled.accounting.requests;
    const requests = [{ ...request!, interrupted: 10 }];
    const vus = {
      type: "gauge",
      unit: null,
      values: { value: 10, min: 10, max: 10 },
    } as const;
    const hanging = (iterationsMs: number): string => {
      const result = dropping([drops("busy", 12), ...load(iterationsMs, [iterationsMs])]);
      const iterations = trendMetric(Array<number>(20).fill(iterationsMs));
      const counts = { http_reqs: 0, http_reqs_failed: 0, iterations: 0, dropped: 0, bytes: 0 };
      const interval = { ...counts, atMs: 1000, widthMs: 1000, duration: null, responseTime: null };
      return summaryOf(
        resultOf({
          ...result,
          accounting: { ...result.accounting, requests },
          metrics: { vus, iteration_duration: iterations },
          intervals: [{ ...interval, vus: 10 }],
        }),
      );
    };
    expect(hanging(100)).toContain(hung);
    expect(hanging(400)).toContain(limit);
  });

  test("depends on the scenario itself, not on another", () => {
    const series = [drops("busy", 12), ...load(1000, [5]), ...load(100, [99], "orders")];
    expect(summaryOf(dropping(series, 2))).toMatch(own);
  });

  test("mentions that a saturated generator slows everything down", () => {
    const generator = { ...stalled.generator, verdict: "saturated" as const };
    const strained = "The generator was saturated, which makes all of this slower: see Generator first.";
    expect(summaryOf(dropping([drops("busy", 12), ...load(100, [99])], 1, { generator }))).toContain(
      strained,
    );
    expect(summaryOf(dropping([drops("busy", 12), ...load(100, [99])]))).not.toContain("see Generator");
  });
});

describe("other reasons for drops", () => {
  test("a full queue is reported", () => {
    const text = summaryOf(dropping([drops("queue full", 7)]));
    expect(text).toContain(
      `7 iterations were dropped: all VUs were busy, and the queue was full. ${neutral}`,
    );
  });

  test("if the generator fell behind, no VUs are suggested", () => {
    const text = summaryOf(dropping([drops("late", 1)]));
    expect(text).toContain("1 iteration was dropped: the generator fell behind; not the target's fault.");
    expect(text).toContain("Add workers or machines, lower the rate");
    expect(text).not.toContain("maxVUs");
  });

  test("if the scenario was stopped, there is no advice", () => {
    const text = summaryOf(dropping([drops("stopped", 5)]));
    expect(text).toContain("the scenario was stopped while they were due or waiting for a VU.");
    expect(text).not.toMatch(/raise|add /i);
  });

  test("if maxDuration ended, more VUs are suggested for shared iterations", () => {
    expect(summaryOf(dropping([drops("time", 3, "orders")], 2))).toContain(
      "maxDuration ended before they could start. Raise maxDuration, or run fewer iterations; if VUs share them, raising vus helps, too.",
    );
  });

  test.each(["", "toString", "__proto__"])(
    'an unknown reason such as "%s" is reported as not recorded',
    (reason) => {
      expect(summaryOf(dropping([drops(reason, 3)]))).toContain(
        "3 iterations were dropped: the reason was not recorded.",
      );
    },
  );
});

describe("drops of several scenarios and reasons", () => {
  test("have a paragraph each, the most frequent first, whatever their custom tags", () => {
    const tagged = counter("dropped_iterations", { scenario: "visitors", reason: "busy", kind: "b" }, 40);
    const series = [drops("time", 3, "orders"), drops("busy", 60), tagged, drops("late", 20)];
    const paragraphs = summaryOf(dropping(series, 2)).match(/\d+ iterations of \w+ were dropped: \S+ \S+/g);
    expect(paragraphs).toEqual([
      "100 iterations of visitors were dropped: all VUs",
      "20 iterations of visitors were dropped: the generator",
      "3 iterations of orders were dropped: maxDuration ended",
    ]);
  });

  test("drops that lost workers counted but did not report have no reason", () => {
    const { accounting } = stalled;
    const text = summaryOf(dropping([drops("busy", 1200)], 1, { accounting }));
    expect(text).toContain("1200 iterations were dropped: all VUs");
    expect(text).toContain("7 iterations were dropped: the reason was not recorded.");
  });

  test("are limited to ten paragraphs", () => {
    const many = Array.from({ length: 13 }, (_, index) => drops("late", 50 - index, `s${index}`));
    const text = summaryOf(dropping(many, 2));
    expect(text.match(/were dropped:/g)).toHaveLength(10);
    expect(text).toContain("… and 3 more");
  });

  test("are not mentioned if nothing was dropped", () => {
    const { accounting } = stalled;
    const iterations = { ...accounting.iterations, dropped: 0, interrupted: 1207 };
    const text = summaryOf(dropping([], 1, { accounting: { ...accounting, iterations } }));
    expect(text).toContain("1207 interrupted");
    expect(text).not.toContain("dropped");
  });
});
