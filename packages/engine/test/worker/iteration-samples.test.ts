import { MetricRegistry } from "@bearhug/metrics/registry";
import { Scope } from "@bearhug/metrics/scope";
import { SnapshotTaker } from "@bearhug/metrics/snapshot";
import { createMask } from "@bearhug/text/secret-mask";
import { describe, expect, test } from "vitest";

import { IterationSamples } from "../../src/worker/iteration-samples.ts";
import { testCatalog } from "../../../metrics/test/catalog-of.ts";

describe("an iteration's sample", () => {
  const iteration = { hasFailed: true, isCutOff: false, durationMs: 7, responseTimeMs: 9 };
  const recorded = (isCutOff: boolean) => {
    const registry = new MetricRegistry(testCatalog(), createMask([]));
    new IterationSamples(new Scope(registry, { scenario: "readers" })).record({ ...iteration, isCutOff });
    return new SnapshotTaker(registry).take()[0]?.metrics ?? {};
  };

  test("is counted, with its time, its response time and its outcome", () => {
    expect(recorded(false)).toMatchObject({
      iterations: { total: 1 },
      iteration_duration: { sum: 7000, censored: null },
      iteration_response_time: { sum: 9000, censored: null },
      iteration_failed: { trues: 1, samples: 1 },
    });
  });

  test("that was cut off has lower bounds for its times", () => {
    expect(recorded(true)).toMatchObject({
      iterations: { total: 1 },
      iteration_duration: { sum: 7000, censored: { count: 1, least: 7000 } },
      iteration_response_time: { sum: 9000, censored: { count: 1, least: 9000 } },
    });
  });

  test("is corrected if the iteration failed after all, even if the sample was already reported", () => {
    const registry = new MetricRegistry(testCatalog(), createMask([]));
    const samples = new IterationSamples(new Scope(registry, { scenario: "readers" }));
    const taker = new SnapshotTaker(registry);
    samples.record({ ...iteration, hasFailed: false });
    taker.take();
    samples.correct();
    expect(taker.take()[0]?.metrics).toEqual({ iteration_failed: { type: "rate", trues: 1, samples: 0 } });
    expect(taker.take()).toEqual([]);
  });
});
