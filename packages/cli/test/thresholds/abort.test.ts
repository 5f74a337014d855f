import { describe, expect, test } from "vitest";

import { builtInClients } from "../../src/clients/built-in-clients.ts";
import { metricCatalog } from "../../src/metrics/metric-catalog.ts";
import { SeriesStore } from "../../src/metrics/series-store.ts";
import { findAbortingThreshold } from "../../src/thresholds/abort.ts";
import { ThresholdWindows } from "../../src/thresholds/windows.ts";
import { thresholdOf } from "./threshold-of.ts";

const threshold = (...[key, text, changes]: Parameters<typeof thresholdOf>) =>
  thresholdOf(key, text, { abortOnFail: true, ...changes });

const noWindows = new ThresholdWindows([], metricCatalog({ clients: builtInClients, metrics: {} }));

function failing(): SeriesStore {
  const store = new SeriesStore();
  const metrics = { http_req_failed: { type: "rate", trues: 9, samples: 10 } } as const;
  store.add(0, [{ id: 0, tags: { page: "home" }, metrics }]);
  return store;
}

const failed = threshold("http_req_failed", "rate<1%");

describe("a threshold ends the run early", () => {
  test("when it is to, and fails on samples", () => {
    expect(findAbortingThreshold([failed], { store: failing(), windows: noWindows }, 0)).toBe(failed);
  });

  test("only past its delay", () => {
    const delayed = threshold("http_req_failed", "rate<1%", { delayAbortEvalMs: 10_000 });
    expect(findAbortingThreshold([delayed], { store: failing(), windows: noWindows }, 9999)).toBeUndefined();
    expect(findAbortingThreshold([delayed], { store: failing(), windows: noWindows }, 10_000)).toBe(delayed);
  });

  test("not while it holds, nor when it is not to", () => {
    const patient = threshold("http_req_failed", "rate<1%", { abortOnFail: false });
    const holding = threshold("http_req_failed", "rate<95%");
    expect(
      findAbortingThreshold([patient, holding], { store: failing(), windows: noWindows }, 1e6),
    ).toBeUndefined();
  });

  test("not before samples arrived that its key selects", () => {
    const other = threshold("http_req_failed{page:cart}", "rate<1%");
    expect(
      findAbortingThreshold([failed], { store: new SeriesStore(), windows: noWindows }, 1e6),
    ).toBeUndefined();
    expect(findAbortingThreshold([other], { store: failing(), windows: noWindows }, 1e6)).toBeUndefined();
    expect(findAbortingThreshold([other, failed], { store: failing(), windows: noWindows }, 1e6)).toBe(
      failed,
    );
  });

  test("with a window when one failed, though the whole run passes", () => {
    const windowed = threshold("http_reqs", "count<5", { windowMs: 1000, delayAbortEvalMs: 3000 });
    const cumulative = threshold("http_reqs", "count<100");
    const windows = new ThresholdWindows(
      [windowed, cumulative],
      metricCatalog({ clients: builtInClients, metrics: {} }),
    );
    const store = new SeriesStore();
    const find = (elapsedMs: number) =>
      findAbortingThreshold([windowed, cumulative], { store, windows }, elapsedMs);
    for (const [second, total] of [1, 9, 1].entries()) {
      const metrics = { http_reqs: { type: "counter", total, samples: total } } as const;
      store.add(0, [{ id: 0, tags: {}, metrics }]);
      windows.add(second, [{ tags: {}, metrics }]);
    }
    windows.advance(1, 1e9);
    expect(find(9000)).toBeUndefined();
    windows.advance(3, 1e9);
    expect(find(2999)).toBeUndefined();
    expect(find(3000)).toBe(windowed);
  });
});
