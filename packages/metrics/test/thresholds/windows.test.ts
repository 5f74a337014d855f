import { describe, expect, test } from "vitest";

import { builtInClients } from "../../../engine/src/built-in-clients.ts";
import type { MetricDelta } from "../../src/accumulator.ts";
import { metricCatalog } from "../../src/metric-catalog.ts";
import { Trend } from "../../src/trend.ts";
import { ThresholdWindows } from "../../src/thresholds/windows.ts";
import { thresholdOf } from "./threshold-of.ts";

const catalog = metricCatalog({ clients: builtInClients, metrics: {} });
const counted = (total: number): MetricDelta => ({ type: "counter", total, samples: total });

function trend(...values: number[]): MetricDelta {
  const filled = new Trend(3);
  for (const value of values) filled.add(value);
  return filled.toDelta();
}

describe("thresholds with windows", () => {
  test("are judged on the series that their keys select, merged", () => {
    const home = thresholdOf("http_req_duration{page:home}", "max<1s", { windowMs: 1000 });
    const all = thresholdOf("http_req_duration", "avg<1s", { windowMs: 2000 });
    const windows = new ThresholdWindows([home, all], catalog);
    windows.add(0, [
      { tags: { page: "home", status: "200" }, metrics: { http_req_duration: trend(3, 4) } },
      { tags: { page: "home", status: "500" }, metrics: { http_req_duration: trend(9) } },
      { tags: { page: "cart" }, metrics: { http_req_duration: trend(800), http_reqs: counted(1) } },
    ]);
    windows.add(1, [{ tags: { page: "cart" }, metrics: { http_req_duration: trend(184) } }]);
    windows.finish(2000);
    expect(windows.reading(home)).toMatchObject({ actual: 9, samples: 3, endMs: 1000, passed: true });
    expect(windows.reading(all)).toMatchObject({ actual: 200, samples: 5, endMs: 2000, passed: true });
  });

  test("ignore series without their metric", () => {
    const threshold = thresholdOf("http_reqs", "count<10", { windowMs: 1000 });
    const windows = new ThresholdWindows([threshold], catalog);
    windows.add(0, [
      { tags: { page: "home" }, metrics: { http_req_duration: trend(3) } },
      { tags: { page: "cart" }, metrics: { http_reqs: counted(4) } },
    ]);
    expect(windows.secondsKept).toBe(1);
    windows.finish(1000);
    expect(windows.reading(threshold)).toMatchObject({ actual: 4, samples: 4 });
  });

  test("judge the remaining seconds when the run ends, but only full windows", () => {
    const threshold = thresholdOf("http_reqs", "count<10", { windowMs: 2000 });
    const windows = new ThresholdWindows([threshold], catalog);
    for (const [second, total] of [1, 2, 20].entries()) {
      windows.add(second, [{ tags: {}, metrics: { http_reqs: counted(total) } }]);
    }
    windows.finish(2999);
    expect(windows.reading(threshold)).toMatchObject({ passed: true, actual: 3, endMs: 2000 });
    windows.finish(3000);
    expect(windows.reading(threshold)).toMatchObject({ passed: false, actual: 22, endMs: 3000 });
    expect(windows.hasFailed(threshold)).toBe(true);
  });

  test("count requests that were never answered in the last full window, however late they came", () => {
    const failed = thresholdOf("http_req_failed", "rate<10%", { windowMs: 2000 });
    const duration = thresholdOf("http_req_duration", "p(95)<1s", { windowMs: 2000 });
    const count = thresholdOf("http_reqs", "count<10", { windowMs: 2000 });
    const judge = (unanswered: number, advancesTo: number): ThresholdWindows => {
      const windows = new ThresholdWindows([failed, duration, count], catalog);
      const answered = (trues: number) => ({ type: "rate", trues, samples: 4 }) as const;
      for (const second of [0, 1, 2])
        windows.add(second, [
          { tags: {}, metrics: { http_req_failed: answered(0), http_req_duration: trend(1, 2, 3, 4) } },
        ]);
      const cutOff = new Trend(3);
      for (let one = 0; one < unanswered; one++) cutOff.addLowerBound(800);
      const late = {
        http_req_failed: { type: "rate", trues: unanswered, samples: unanswered } as const,
        http_req_duration: cutOff.toDelta(),
        http_reqs: counted(1000),
      };
      windows.advance(advancesTo, 3000);
      windows.add(9, [{ tags: {}, metrics: late }]);
      windows.finish(3000);
      return windows;
    };
    for (const advancesTo of [2, 3, 8]) {
      const hung = judge(2, advancesTo);
      expect(hung.reading(failed)).toMatchObject({ passed: false, actual: 0.2, samples: 10, endMs: 3000 });
      expect(hung.reading(duration)).toMatchObject({ passed: false, actual: 800, censoredSamples: 2 });
      expect(hung.reading(count)).toMatchObject({ passed: true, actual: 0 });
    }
  });

  test("do not count samples again that were in a full window", () => {
    const failed = thresholdOf("http_req_failed", "rate<30%", { windowMs: 2000 });
    const windows = new ThresholdWindows([failed], catalog);
    const rate = (trues: number) => [
      { tags: {}, metrics: { http_req_failed: { type: "rate", trues, samples: 4 } as const } },
    ];
    for (const [second, trues] of [0, 2, 0, 0].entries()) windows.add(second, rate(trues));
    windows.finish(4000);
    expect(windows.reading(failed)).toMatchObject({ passed: true, actual: 0.25, samples: 8 });
  });

  test("have no reading in a run that is shorter than the window", () => {
    const threshold = thresholdOf("http_reqs", "count<10", { windowMs: 5000 });
    const windows = new ThresholdWindows([threshold], catalog);
    windows.add(0, [{ tags: {}, metrics: { http_reqs: counted(99) } }]);
    windows.finish(4999);
    expect(windows.reading(threshold)).toBeNull();
  });

  test("ignore thresholds without a window", () => {
    const threshold = thresholdOf("http_reqs", "count<1");
    const windows = new ThresholdWindows([threshold], catalog);
    windows.add(0, [{ tags: {}, metrics: { http_reqs: counted(99) } }]);
    windows.finish(9000);
    expect([windows.reading(threshold), windows.hasFailed(threshold)]).toEqual([null, false]);
  });
});
