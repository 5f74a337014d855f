import { describe, expect, test } from "vitest";

import type { ValidatedThreshold } from "../../src/thresholds/read-threshold.ts";
import { builtInClients } from "../../../engine/src/built-in-clients.ts";
import { metricCatalog } from "../../src/metric-catalog.ts";
import { findAbortingThreshold } from "../../src/thresholds/abort.ts";
import { RunningTotals } from "../../src/thresholds/running-totals.ts";
import { ThresholdWindows } from "../../src/thresholds/windows.ts";
import { thresholdOf } from "./threshold-of.ts";

const threshold = (...[key, text, changes]: Parameters<typeof thresholdOf>) =>
  thresholdOf(key, text, { abortOnFail: true, ...changes });

const windows = new ThresholdWindows([], metricCatalog({ clients: builtInClients, metrics: {} }));

/** Finds the threshold that ends a run with ten requests, all on the home page, of which nine failed. */
function findIn(
  thresholds: readonly ValidatedThreshold[],
  elapsedMs: number,
): ValidatedThreshold | undefined {
  const totals = new RunningTotals(thresholds);
  const metrics = { http_req_failed: { type: "rate", trues: 9, samples: 10 } } as const;
  totals.add([{ tags: { page: "home" }, metrics }]);
  return findAbortingThreshold(thresholds, { totals, windows }, elapsedMs);
}

const failed = threshold("http_req_failed", "rate<1%");

describe("a threshold ends the run early", () => {
  test("if it has abortOnFail and fails on samples", () => {
    expect(findIn([failed], 0)).toBe(failed);
  });

  test("only after its delay", () => {
    const delayed = threshold("http_req_failed", "rate<1%", { delayAbortEvalMs: 10_000 });
    expect(findIn([delayed], 9999)).toBeUndefined();
    expect(findIn([delayed], 10_000)).toBe(delayed);
  });

  test("not while it holds, nor without abortOnFail", () => {
    const patient = threshold("http_req_failed", "rate<1%", { abortOnFail: false });
    const holding = threshold("http_req_failed", "rate<95%");
    expect(findIn([patient, holding], 1e6)).toBeUndefined();
  });

  test("not before samples arrived that its key selects", () => {
    const other = threshold("http_req_failed{page:cart}", "rate<1%");
    expect(
      findAbortingThreshold([failed], { totals: new RunningTotals([failed]), windows }, 1e6),
    ).toBeUndefined();
    expect(findIn([other], 1e6)).toBeUndefined();
    expect(findIn([other, failed], 1e6)).toBe(failed);
  });

  test("if one of its windows failed, even if the whole run passes", () => {
    const windowed = threshold("http_reqs", "count<5", { windowMs: 1000, delayAbortEvalMs: 3000 });
    const cumulative = threshold("http_reqs", "count<100");
    const windows = new ThresholdWindows(
      [windowed, cumulative],
      metricCatalog({ clients: builtInClients, metrics: {} }),
    );
    const totals = new RunningTotals([windowed, cumulative]);
    const find = (elapsedMs: number) =>
      findAbortingThreshold([windowed, cumulative], { totals, windows }, elapsedMs);
    for (const [second, total] of [1, 9, 1].entries()) {
      const metrics = { http_reqs: { type: "counter", total, samples: total } } as const;
      totals.add([{ tags: {}, metrics }]);
      windows.add(second, [{ tags: {}, metrics }]);
    }
    windows.advance(1, 1e9);
    expect(find(9000)).toBeUndefined();
    windows.advance(3, 1e9);
    expect(find(2999)).toBeUndefined();
    expect(find(3000)).toBe(windowed);
  });
});
