import { Trend } from "@bearhug/metrics/trend";
import type { VariantFigureName, VariantsResult } from "@bearhug/sdk/result";
import { describe, expect, test } from "vitest";

import { TurnStore } from "../../src/outcome/turn-store.ts";
import { variantsResult } from "../../src/outcome/variants-result.ts";
import { simulateVariants } from "./simulated-variants.ts";

function figure(result: VariantsResult | null, variant: number, name: VariantFigureName): number {
  return result?.variants[variant]?.figures[name].value ?? Number.NaN;
}

describe("a slow variant whose iterations reach into the turns of a fast one", () => {
  const run = simulateVariants({ iterationMs: [120, 10], vus: 20, turnMs: 200, durationMs: 60_000 });
  const result = variantsResult(run);

  test("does not reduce its throughput: both rates are those that each has alone", () => {
    expect(figure(result, 0, "requestsPerSecond") / (20 / 0.12)).toBeCloseTo(1, 1);
    expect(figure(result, 1, "requestsPerSecond") / (20 / 0.01)).toBeCloseTo(1, 1);
  });

  test("would reduce it if requests were divided by the time of the turns", () => {
    const { blocks = 0, turnMs = 0, changeoverMs = 0, variants = [] } = result ?? {};
    const seconds = (blocks * (turnMs - changeoverMs)) / 1000;
    expect((variants[1]?.requests ?? 0) / seconds / (20 / 0.01)).toBeLessThan(0.95);
  });

  test("is found to be slower, by the right factor", () => {
    const differences = result?.variants[1]?.differences;
    expect(differences?.requestsPerSecond.isReal).toBe(true);
    expect((differences?.requestsPerSecond.change ?? 0) + 1).toBeCloseTo(12, 0);
    expect(differences?.p50.isReal).toBe(true);
    expect(differences?.p50.change).toBeCloseTo(10 / 120 - 1, 1);
  });

  test("is reported as overlapping, because its iterations outlast the changeover", () => {
    expect(result?.longIterationMs).toBeGreaterThan(100);
    const short = simulateVariants({ iterationMs: [5, 6], vus: 2, turnMs: 200, durationMs: 6000 });
    expect(variantsResult(short)?.longIterationMs).toBeNull();
  });
});

test("equal variants have no difference, and exact sizes", () => {
  const run = simulateVariants({ iterationMs: [10, 10, 10], vus: 4, turnMs: 100, durationMs: 12_000 });
  const result = variantsResult(run);
  expect(result).toMatchObject({ blocks: 40, stretches: 40, leastStretches: 9 });
  for (const { differences, figures } of result?.variants ?? []) {
    expect(Object.values(differences ?? {}).filter(({ isReal }) => isReal)).toEqual([]);
    expect(figures.wireBytes).toEqual({ value: 900, interval: [900, 900], isLowerBound: false });
    expect(figures.decodedBytes.value).toBe(3000);
    expect(figures.failed.value).toBe(0);
    const [low = 0, high = 0] = figures.p50.interval ?? [];
    expect(low).toBeLessThanOrEqual(10.1);
    expect(high).toBeGreaterThanOrEqual(9.9);
    expect(figures.bytesPerSecond.value).toBeCloseTo((figures.requestsPerSecond.value ?? 0) * 1000, 3);
  }
});

test("at an arrival rate, requests are divided by the time of the turns", () => {
  const run = simulateVariants({ iterationMs: [10, 20], vus: 4, turnMs: 100, durationMs: 4000 });
  const { head } = run;
  const plan = head.plan && {
    ...head.plan,
    scenarios: head.plan.scenarios.map((one) => ({
      ...one,
      scenario: { ...one.scenario, executor: "constant-arrival-rate" as const },
    })),
  };
  const result = variantsResult({ ...run, head: { ...head, plan } });
  const seconds = (20 * 80) / 1000;
  expect(figure(result, 0, "requestsPerSecond")).toBeCloseTo(
    (result?.variants[0]?.requests ?? 0) / seconds,
    6,
  );
});

test("an interrupted run has its completed blocks, and one without variants has no section", () => {
  const run = simulateVariants({ iterationMs: [10, 10], vus: 1, turnMs: 100, durationMs: 2000 });
  const cut = variantsResult({ ...run, state: { ...run.state, startsUntilMs: 790 } });
  expect(cut).toMatchObject({ blocks: 3, stretches: 3 });
  const none = variantsResult({ ...run, state: { ...run.state, startsUntilMs: 150 } });
  expect(none?.variants.map(({ requests, figures }) => [requests, figures.p50.value])).toEqual([
    [0, null],
    [0, null],
  ]);
  expect(variantsResult({ ...run, head: { ...run.head, plan: null } })).toBeNull();
});

describe("turns are kept", () => {
  function turnOf(block: number, variant: number, ms: number) {
    const times = new Trend(3);
    times.add(ms);
    return { block, variant, metrics: { times: times.toDelta() } };
  }

  test("in at most 64 stretches, however many blocks there are, and none is lost", () => {
    const store = new TurnStore();
    for (let block = 0; block < 1000; block++) store.add([turnOf(block, 0, 1), turnOf(block, 1, 2)]);
    expect(store.width).toBe(16);
    const [first = [], second = []] = store.completeStretches(2, 1000);
    expect([first.length, second.length]).toEqual([62, 62]);
    for (const metrics of [...first, ...second]) expect(metrics.get("times")).toMatchObject({ count: 16 });
  });

  test("with samples that arrive late, and empty if a variant had none", () => {
    const store = new TurnStore();
    store.add([turnOf(0, 0, 1), turnOf(2, 0, 1)]);
    store.add([turnOf(0, 0, 5)]);
    const [first = []] = store.completeStretches(1, 3);
    expect(first.map((metrics) => metrics.get("times")?.type)).toEqual(["trend", undefined, "trend"]);
    expect(first[0]?.get("times")).toMatchObject({ count: 2 });
  });
});
