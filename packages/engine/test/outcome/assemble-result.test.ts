import type { MetricDelta } from "@bearhug/metrics/accumulator";
import { CheckFaultLog } from "@bearhug/metrics/check-faults";
import { ErrorLog } from "@bearhug/metrics/error-log";
import { metricCatalog } from "@bearhug/metrics/metric-catalog";
import { SeriesStore } from "@bearhug/metrics/series-store";
import type { ValidatedThreshold } from "@bearhug/metrics/thresholds/read-threshold";
import { ThresholdWindows } from "@bearhug/metrics/thresholds/windows";
import { Trend } from "@bearhug/metrics/trend";
import { defaultHttp } from "@bearhug/plan/http-options/option-table";
import type { RunPlan } from "@bearhug/plan/protocol/plan";
import { ownWords } from "@bearhug/text/masked-text";
import { describe, expect, test } from "vitest";

import {
  checkResults,
  errorResults,
  expectedResponses,
  intervalResults,
  metricResults,
  seriesResults,
} from "../../src/outcome/assemble-result.ts";
import { summarizer } from "../../src/outcome/merged-results.ts";
import { thresholdResults } from "../../src/outcome/judge-thresholds.ts";
import { builtInClients } from "../../src/built-in-clients.ts";
import { RunTimeline } from "../../src/outcome/run-timeline.ts";
import type { RecordedThreshold } from "../../src/outcome/run-record.ts";
import { thresholdOf } from "../../../metrics/test/thresholds/threshold-of.ts";

const noWindows = new ThresholdWindows([], new Map());

const plan: RunPlan = {
  testName: "t",
  seed: 1,
  baseUrl: null,
  allowHosts: [],
  allowUnmeasured: false,
  movedHosts: null,
  env: {},
  http: defaultHttp,
  secrets: [],
  clients: builtInClients,
  metrics: { basket_size: { type: "trend", unit: null } },
  scenarios: [],
  tags: {},
  workers: 1,
  sharedConnections: null,
  warmupMs: 0,
  maxDataBytes: null,
};

function trend(...values: number[]) {
  const filled = new Trend(3);
  for (const value of values) filled.add(value);
  return filled.toDelta();
}

function filledStore(): SeriesStore {
  const store = new SeriesStore();
  const home = { scenario: "s", page: "home", name: "GET /", status: "200" };
  store.add(0, [
    {
      id: 0,
      tags: home,
      metrics: {
        http_reqs: { type: "counter", total: 3, samples: 3 },
        http_req_duration: trend(10, 20, 30),
        http_req_waiting: trend(9, 19, 29),
      },
    },
    {
      id: 1,
      tags: { ...home, name: "GET /a" },
      metrics: { http_reqs: { type: "counter", total: 1, samples: 1 }, http_req_waiting: trend(1) },
    },
    {
      id: 2,
      tags: { scenario: "s", check: "is fine" },
      metrics: { checks: { type: "rate", trues: 2, samples: 3 } },
    },
    {
      id: 3,
      tags: { scenario: "s", page: "home", group: "g", check: "is fine" },
      metrics: { checks: { type: "rate", trues: 1, samples: 1 } },
    },
    {
      id: 4,
      tags: { scenario: "s", page: "home", check: "is fine" },
      metrics: { checks: { type: "rate", trues: 0, samples: 5 } },
    },
  ]);
  return store;
}

/** Returns a store with one series. */
function storeOf(metrics: Readonly<Record<string, MetricDelta>>): SeriesStore {
  const store = new SeriesStore();
  store.add(0, [{ id: 0, tags: {}, metrics }]);
  return store;
}

function unlocated(thresholds: readonly ValidatedThreshold[]): RecordedThreshold[] {
  return thresholds.map((threshold) => ({ threshold, source: null }));
}

describe("the result's parts", () => {
  test("judge thresholds on the samples that their keys select, in the unit of the judged value", () => {
    const thresholds = [
      thresholdOf("http_req_duration{name:GET /}", "max<25ms"),
      thresholdOf("http_reqs{name:GET /}", "count==3"),
      thresholdOf("http_reqs{name:nothing}", "count>=0"),
    ];
    const sources = [{ file: "t.ts", line: 3, column: 5 }, null, null];
    const recorded = thresholds.map((one, index) => ({ threshold: one, source: sources[index] ?? null }));
    const judge = (isEvaluated: boolean) =>
      thresholdResults({ plan, thresholds: recorded }, filledStore(), {
        durationMs: 1000,
        isEvaluated,
        foldedTags: new Set(["user"]),
        windows: noWindows,
      });
    expect(judge(true)).toMatchObject([
      { passed: false, actual: 30, unit: "ms", samples: 3, source: { line: 3 } },
      { passed: true, actual: 3, unit: null, source: null },
      { passed: false, actual: null, samples: 0 },
    ]);
    expect(judge(false).map(({ passed }) => passed)).toEqual([null, null, null]);
  });

  test("give the value that a threshold judges its own unit: a count has none, a rate is per second", () => {
    const judged = [
      ["http_req_duration", "count>100"],
      ["http_req_duration", "avg<1s"],
      ["http_reqs", "rate>1"],
      ["basket_size", "count>0"],
    ] as const;
    const results = thresholdResults(
      { plan, thresholds: unlocated(judged.map(([key, text]) => thresholdOf(key, text))) },
      filledStore(),
      { durationMs: 1000, isEvaluated: true, foldedTags: new Set(), windows: noWindows },
    );
    expect(results.map(({ unit }) => unit)).toEqual([null, "ms", "/s", null]);
  });

  test("count checks by name, scenario, page and group", () => {
    expect(checkResults(filledStore(), new CheckFaultLog(), () => null)).toEqual([
      { name: "is fine", scenario: "s", page: null, group: null, passes: 2, fails: 1, exception: null },
      { name: "is fine", scenario: "s", page: "home", group: "g", passes: 1, fails: 0, exception: null },
      { name: "is fine", scenario: "s", page: "home", group: null, passes: 0, fails: 5, exception: null },
    ]);
  });

  test("show the first exception of a check, where it was thrown and how often", () => {
    const faults = new CheckFaultLog();
    const [place, position] = [
      { check: "is fine", scenario: "s", page: "home", group: "g" },
      { line: 1, column: 2 },
    ];
    faults.merge({ ...place, message: ownWords`later`, firstAtMs: 20, position: null, count: 1 });
    faults.merge({ ...place, message: ownWords`first`, firstAtMs: 10, position, count: 3 });
    const source = { file: "t.ts", line: 3, column: 5 };
    const [outside, home] = checkResults(filledStore(), faults, () => ({ source, frame: "code" }));
    expect(outside?.exception).toBeNull();
    expect(home?.exception).toEqual({ message: "first", firstAtMs: 10, count: 4, source, frame: "code" });
  });

  test("total every metric that has samples, and add the percentiles that thresholds ask for", () => {
    const results = metricResults(filledStore(), plan, [thresholdOf("http_req_duration", "p(75)<1s")], 2000);
    expect(Object.keys(results).sort()).toEqual([
      "checks",
      "http_req_duration",
      "http_req_waiting",
      "http_reqs",
    ]);
    expect(results["http_reqs"]).toMatchObject({ values: { count: 4, rate: 2 } });
    expect(results["http_req_duration"]?.values).toHaveProperty("p(75)");
    expect(results["http_req_waiting"]?.values).not.toHaveProperty("p(75)");
    expect(metricResults(new SeriesStore(), plan, [], 0)).toEqual({});
  });

  test("have the times of expected responses separately, if other responses failed", () => {
    const times = (durationMs: number) => ({ http_req_duration: trend(durationMs, durationMs) });
    const tags = (isExpected: string) => ({ scenario: "s", name: "GET /", expected_response: isExpected });
    const store = new SeriesStore();
    store.add(0, [{ id: 0, tags: tags("true"), metrics: times(300) }]);
    expect(expectedResponses(store, plan, [], 1000)).toEqual({});
    store.add(0, [{ id: 1, tags: tags("false"), metrics: times(5) }]);
    const asked = [thresholdOf("http_req_duration", "p(75)<1s")];
    expect(expectedResponses(store, plan, asked, 1000).expectedResponses).toEqual({
      http_req_duration: metricResults(storeOf(times(300)), plan, asked, 1000)["http_req_duration"],
    });
  });

  test("list series with their histograms, phases merged by page", () => {
    const series = seriesResults(filledStore(), plan, summarizer(plan, 1000));
    const waiting = series.filter(({ metric }) => metric === "http_req_waiting");
    expect(waiting).toHaveLength(1);
    expect(waiting[0]).toMatchObject({ tags: { scenario: "s", page: "home" }, values: { count: 4 } });
    const durations = series.filter(
      ({ metric, histogram }) => metric === "http_req_duration" && histogram !== null,
    );
    expect(durations).toHaveLength(1);
    expect(durations[0]?.tags).toMatchObject({ name: "GET /", page: "home" });
  });

  test("fail a threshold that filters on a tag whose values were merged into (other), whatever its samples say", () => {
    const thresholds = [
      thresholdOf("http_reqs{page:home}", "count>0"),
      thresholdOf("http_reqs{name:GET /}", "count==3"),
      thresholdOf("http_reqs{page:none}", "count<1", { allowEmpty: true }),
      thresholdOf("http_reqs", "count==4"),
    ];
    const judge = (isEvaluated: boolean) =>
      thresholdResults({ plan, thresholds: unlocated(thresholds) }, filledStore(), {
        durationMs: 1000,
        isEvaluated,
        foldedTags: new Set(["page"]),
        windows: noWindows,
      });
    expect(judge(true)).toMatchObject([
      { passed: false, actual: null, samples: 4 },
      { passed: true, actual: 3 },
      { passed: false, actual: null },
      { passed: true, actual: 4 },
    ]);
    expect(judge(false).map(({ passed }) => passed)).toEqual([null, null, null, null]);
  });

  test("end the last interval with the run, and keep a late snapshot's interval in place", () => {
    const timeline = new RunTimeline(builtInClients);
    const one = { http_reqs: { type: "counter", total: 1, samples: 1 } } as const;
    timeline.add(2, [{ id: 0, tags: null, metrics: one }]);
    const extents = (durationMs: number) =>
      intervalResults(timeline, durationMs).map(({ atMs, widthMs }) => [atMs, widthMs]);
    const whole = [
      [1000, 1000],
      [2000, 1000],
    ];
    expect(extents(2250)).toEqual([...whole, [2250, 250]]);
    expect(extents(3000)).toEqual([...whole, [3000, 1000]]);
    expect(extents(9000)).toEqual([...whole, [3000, 1000]]);
    expect(extents(1990)).toEqual([
      [1000, 1000],
      [1990, 990],
      [2001, 1],
    ]);
  });

  test("list intervals by their end, without a histogram if no request was answered", () => {
    const timeline = new RunTimeline(builtInClients);
    timeline.add(1, [
      {
        id: 0,
        tags: null,
        metrics: { http_req_duration: trend(5), http_reqs: { type: "counter", total: 1, samples: 1 } },
      },
    ]);
    const intervals = intervalResults(timeline, 1600);
    expect(intervals.map(({ atMs, widthMs, http_reqs }) => [atMs, widthMs, http_reqs])).toEqual([
      [1000, 1000, 0],
      [1600, 600, 1],
    ]);
    expect(intervals[0]?.duration).toBeNull();
    expect(intervals[1]?.duration).toEqual(expect.any(String));
    expect(intervals[1]?.responseTime).toBeNull();
  });

  test("show errors at their source, never before the start", () => {
    const errors = new ErrorLog();
    const kept = { code: "TEST_THREW", cause: null, message: ownWords`no`, name: "s" };
    errors.add({ ...kept, firstAtMs: -3, position: { line: 7, column: 1 } }, 2);
    errors.add({ ...kept, code: "E", firstAtMs: 5, position: null });
    const source = { file: "t.ts", line: 3, column: 1 };
    const results = errorResults(errors, ({ line }) => (line === 7 ? { source, frame: "> 3" } : null));
    expect(results).toEqual([
      { ...kept, count: 2, firstAtMs: 0, source, frame: "> 3" },
      { ...kept, code: "E", count: 1, firstAtMs: 5 },
    ]);
  });
});

describe("a threshold with a window", () => {
  const widthMs = 2000;
  const windowed = (key: string, text: string, changes: Partial<ValidatedThreshold> = {}) => ({
    ...thresholdOf(key, text),
    windowMs: widthMs,
    ...changes,
  });

  /** Judges thresholds on four requests in the first second, in a window that ends at 2 s. */
  function judge(
    thresholds: readonly ValidatedThreshold[],
    facts: { startsUntilMs: number; isEvaluated?: boolean; foldedTags?: ReadonlySet<string> },
  ) {
    const windows = new ThresholdWindows(thresholds, metricCatalog({ clients: builtInClients, metrics: {} }));
    const metrics = { http_reqs: { type: "counter", total: 4, samples: 4 } } as const;
    windows.add(0, [{ tags: { scenario: "s", page: "home", name: "GET /" }, metrics }]);
    windows.finish(facts.startsUntilMs);
    const judging = { durationMs: 2500, isEvaluated: true, foldedTags: new Set<string>(), ...facts };
    return thresholdResults({ plan, thresholds: unlocated(thresholds) }, filledStore(), {
      ...judging,
      windows,
    });
  }

  test("is judged by its windows, and reports when one failed", () => {
    const thresholds = [windowed("http_reqs", "rate>2"), windowed("http_reqs", "rate>=2")];
    expect(judge(thresholds, { startsUntilMs: 2000 })).toMatchObject([
      { passed: false, actual: 2, samples: 4, window: { widthMs, failedAtMs: 2000 } },
      { passed: true, actual: 2, samples: 4, window: { widthMs, failedAtMs: null } },
    ]);
  });

  test("is judged on the whole run if no full window fits into it", () => {
    const thresholds = [windowed("http_reqs", "rate<1"), windowed("http_reqs", "count==4")];
    expect(judge(thresholds, { startsUntilMs: 1999 })).toMatchObject([
      { passed: false, actual: 1.6, window: { widthMs, failedAtMs: 2500 } },
      { passed: true, actual: 4, window: { widthMs, failedAtMs: null } },
    ]);
  });

  test("without a sample fails like any other, and has no window that failed", () => {
    const none = "http_reqs{page:none}";
    const thresholds = [windowed(none, "count<1"), windowed(none, "count<1", { allowEmpty: true })];
    expect(judge(thresholds, { startsUntilMs: 2000 })).toMatchObject([
      { passed: false, actual: null, samples: 0, window: { widthMs, failedAtMs: null } },
      { passed: true, actual: null, samples: 0, window: { widthMs, failedAtMs: null } },
    ]);
  });

  test("that was not judged, or cannot be, has no window that failed either", () => {
    const page = windowed("http_reqs{page:home}", "rate>2");
    const unjudged = judge([page], { startsUntilMs: 2000, isEvaluated: false });
    const folded = judge([page], { startsUntilMs: 2000, foldedTags: new Set(["page"]) });
    expect(unjudged).toMatchObject([{ passed: null, window: { widthMs, failedAtMs: null } }]);
    expect(folded).toMatchObject([{ passed: false, actual: null, window: { widthMs, failedAtMs: null } }]);
  });
});
