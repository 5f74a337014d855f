import { parseMetricSelector, parseThreshold, type ValidatedThreshold } from "@bearhug/sdk";
import { describe, expect, test } from "vitest";

import { SeriesStore } from "../../src/metrics/series-store.ts";
import { findAbortingThreshold } from "../../src/thresholds/abort.ts";

function threshold(key: string, text: string, changes: Partial<ValidatedThreshold> = {}): ValidatedThreshold {
  const { metric, filters } = parseMetricSelector(key);
  return {
    key,
    metric,
    filters: filters.map(({ tag, operator, value }) => ({ tag, operator, value })),
    expression: parseThreshold(text),
    text,
    abortOnFail: true,
    delayAbortEvalMs: 0,
    windowMs: null,
    allowEmpty: false,
    ...changes,
  };
}

function failing(): SeriesStore {
  const store = new SeriesStore();
  const metrics = { http_req_failed: { type: "rate", trues: 9, samples: 10 } } as const;
  store.add(0, [{ id: 0, tags: { page: "home" }, metrics }]);
  return store;
}

const failed = threshold("http_req_failed", "rate<1%");

describe("a threshold ends the run early", () => {
  test("when it is to, and fails on samples", () => {
    expect(findAbortingThreshold([failed], failing(), 0)).toBe(failed);
  });

  test("only past its delay", () => {
    const delayed = threshold("http_req_failed", "rate<1%", { delayAbortEvalMs: 10_000 });
    expect(findAbortingThreshold([delayed], failing(), 9999)).toBeUndefined();
    expect(findAbortingThreshold([delayed], failing(), 10_000)).toBe(delayed);
  });

  test("not while it holds, nor when it is not to", () => {
    const patient = threshold("http_req_failed", "rate<1%", { abortOnFail: false });
    const holding = threshold("http_req_failed", "rate<95%");
    expect(findAbortingThreshold([patient, holding], failing(), 1e6)).toBeUndefined();
  });

  test("not before samples arrived that its key selects", () => {
    const other = threshold("http_req_failed{page:cart}", "rate<1%");
    expect(findAbortingThreshold([failed], new SeriesStore(), 1e6)).toBeUndefined();
    expect(findAbortingThreshold([other], failing(), 1e6)).toBeUndefined();
    expect(findAbortingThreshold([other, failed], failing(), 1e6)).toBe(failed);
  });
});
