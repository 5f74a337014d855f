import { describe, expect, test } from "vitest";

import type { SeriesResult } from "../../src/index.ts";
import { classifyVuTime, type VuTimeSource } from "../../src/result/vu-time.ts";
import { sampleResult } from "./sample-result.ts";

/** The number of samples of each metric in scenario `visits`, with their average. */
type Written = Readonly<Record<string, readonly [count: number, averageMs: number]>>;

function seriesOf(metrics: Written, tags: Readonly<Record<string, string>> = {}): SeriesResult[] {
  return Object.entries(metrics).map(([metric, [count, avg]]) => ({
    metric,
    tags: { scenario: "visits", ...tags },
    values: { count, avg },
    histogram: null,
  }));
}

const quiet: VuTimeSource = {
  series: [],
  metrics: {},
  accounting: { ...sampleResult.accounting, requests: [] },
  intervals: [],
};

/** Returns ten iterations of 100 ms, each with one request that takes `requestMs`. */
function visits(requestMs: number, more: Written = {}): SeriesResult[] {
  const requests = { http_reqs: [10, 0], http_req_duration: [10, requestMs] } as const;
  return seriesOf({ iteration_duration: [10, 100], ...requests, ...more });
}

const timeSpent = (series: readonly SeriesResult[]) =>
  classifyVuTime({ ...quiet, series: [...series] }, "visits");

describe("virtual users spend their time", () => {
  test.each([
    [25, "test"],
    [26, "unclear"],
    [74, "unclear"],
    [75, "requests"],
    [100, "requests"],
  ])("with requests that take %i of 100 ms, on: %s", (requestMs, spentOn) => {
    expect(timeSpent(visits(requestMs))).toEqual({ spentOn, mostInRequests: requestMs / 100 });
  });

  test("in an unclear way if no iteration ended, or a request has no time", () => {
    const unknown = { spentOn: "unclear", mostInRequests: null };
    expect(timeSpent([])).toEqual(unknown);
    expect(timeSpent(visits(1, { http_reqs: [11, 0] }))).toEqual(unknown);
    expect(classifyVuTime({ ...quiet, series: visits(100) }, "another")).toEqual(unknown);
  });

  test("on requests also while their connections open", () => {
    const opening = { http_req_blocked: [10, 5], http_req_looking_up: [10, 5] } as const;
    const more = { ...opening, http_req_connecting: [10, 5], http_req_tls_handshaking: [10, 5] } as const;
    expect(timeSpent(visits(20, more))).toEqual({ spentOn: "unclear", mostInRequests: 0.4 });
  });

  test("on concurrent requests for no longer than the iteration takes", () => {
    const many = { http_reqs: [30, 0], http_req_duration: [30, 40] } as const;
    expect(timeSpent(seriesOf({ iteration_duration: [10, 100], ...many }))).toEqual({
      spentOn: "unclear",
      mostInRequests: 1,
    });
    const few = { http_reqs: [5, 0], http_req_duration: [5, 100] } as const;
    expect(timeSpent(seriesOf({ iteration_duration: [10, 100], ...few })).spentOn).toBe("unclear");
  });

  test("on the test itself if it makes no request", () => {
    expect(timeSpent(seriesOf({ iteration_duration: [10, 100] }))).toEqual({
      spentOn: "test",
      mostInRequests: 0,
    });
  });

  test("on requests that hang, if half of it went into those without a response", () => {
    const failed = (ms: number) =>
      seriesOf({ http_req_duration: [10, ms], http_reqs: [10, 0] }, { status: "0" });
    const iterations = seriesOf({ iteration_duration: [10, 100] });
    expect(timeSpent([...iterations, ...failed(50)]).spentOn).toBe("hung");
    expect(timeSpent([...iterations, ...failed(49)]).spentOn).toBe("unclear");
    expect(timeSpent(failed(50)).spentOn).toBe("unclear");
  });
});

describe("interrupted requests, which leave no samples, hang", () => {
  const hanging = { name: "GET /", started: 9, sent: 9, succeeded: 0, failed: 0, interrupted: 8, lost: 0 };
  const vus = { type: "gauge", unit: null, values: { value: 10, min: 0, max: 10 } } as const;
  const interval = { ...sampleResult.intervals[0]!, vus: 10, widthMs: 1000 };
  const iterations = (avg: number) =>
    ({ type: "trend", unit: "ms", values: { count: 10, min: avg, avg, med: avg, max: avg } }) as const;

  function spentOn(
    interrupted: number,
    endedMs: number | null,
    metrics: VuTimeSource["metrics"] = { vus },
  ): string {
    const ended = endedMs === null ? {} : { iteration_duration: iterations(endedMs) };
    const facts: VuTimeSource = {
      ...quiet,
      metrics: { ...metrics, ...ended },
      accounting: { ...quiet.accounting, requests: [{ ...hanging, interrupted }] },
      intervals: [interval],
    };
    return classifyVuTime(facts, "visits").spentOn;
  }

  test("if they held three of four virtual users for most of the time", () => {
    expect(spentOn(8, null)).toBe("hung");
    expect(spentOn(8, 499)).toBe("hung");
    const twelve = { ...vus, values: { value: 12, min: 0, max: 12 } };
    expect(spentOn(9, null, { vus: twelve })).toBe("hung");
  });

  test("but not if there were fewer of them, or ended iterations took half of the time", () => {
    expect(spentOn(7, null)).toBe("unclear");
    expect(spentOn(8, 500)).toBe("unclear");
    expect(spentOn(0, null)).toBe("unclear");
    expect(spentOn(8, null, {})).toBe("unclear");
  });
});
