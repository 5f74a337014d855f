import { describe, expect, test } from "vitest";

import type { MetricDelta } from "../../src/metrics/accumulator.ts";
import { metricCatalog } from "../../src/metrics/metric-catalog.ts";
import { Trend } from "../../src/metrics/trend.ts";
import { ThresholdWindows } from "../../src/thresholds/windows.ts";
import { thresholdOf } from "./threshold-of.ts";

const catalog = metricCatalog({});
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

  test("overlook series that have nothing of their metric", () => {
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

  test("judge the seconds that are left when nothing more comes, full windows alone", () => {
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

  test("in a run that is shorter than the window say nothing", () => {
    const threshold = thresholdOf("http_reqs", "count<10", { windowMs: 5000 });
    const windows = new ThresholdWindows([threshold], catalog);
    windows.add(0, [{ tags: {}, metrics: { http_reqs: counted(99) } }]);
    windows.finish(4999);
    expect(windows.reading(threshold)).toBeNull();
  });

  test("leave those without a window alone", () => {
    const threshold = thresholdOf("http_reqs", "count<1");
    const windows = new ThresholdWindows([threshold], catalog);
    windows.add(0, [{ tags: {}, metrics: { http_reqs: counted(99) } }]);
    windows.finish(9000);
    expect([windows.reading(threshold), windows.hasFailed(threshold)]).toEqual([null, false]);
  });
});
