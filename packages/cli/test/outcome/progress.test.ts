import type { ValidatedScenario } from "@bearhug/sdk/internal";
import { describe, expect, test } from "vitest";

import { builtInClients } from "../../src/clients/built-in-clients.ts";
import { Collector } from "../../src/outcome/collect.ts";
import { progressOf } from "../../src/outcome/progress.ts";
import { own } from "../../src/masked-text.ts";
import { Trend } from "../../src/metrics/trend.ts";
import { SharedAccounting } from "../../src/protocol/shared-accounting.ts";
import { numberWork } from "../../src/test-file/work-numbering.ts";
import { arrivals, constantVus, sharedIterations } from "../test-file/tests-for-plans.ts";

/** A worker that has done `times` what another one has. */
function accountingOf(times: number): SharedAccounting {
  const accounting = new SharedAccounting();
  accounting.add("iterationsStarted", 10 * times);
  accounting.add("iterationsCompleted", 6 * times);
  accounting.add("iterationsFailed", 3 * times);
  accounting.add("iterationsDropped", 2 * times);
  accounting.add("bytesReceived", 500 * times);
  for (let count = 0; count < 4 * times; count++) {
    const row = accounting.row(own`GET /`);
    row.started();
    row.sent();
    if (count % 2 === 0) row.succeeded();
    else row.failed();
  }
  return accounting;
}

const load = { accountings: [accountingOf(1), accountingOf(2)], warmupAccountings: [] };

function planOf(...scenarios: ValidatedScenario[]) {
  return { scenarios: numberWork(scenarios), warmupMs: 0 };
}

describe("the progress of a run", () => {
  test("counts iterations and requests of all workers that have ended, and the plan's time", () => {
    const progress = progressOf(new Collector(builtInClients), load, 3, planOf(constantVus("a")), 7000);
    expect(progress).toMatchObject({ atMs: 4000, elapsedMs: 7000, plannedMs: 10_000, isWarmup: false });
    expect(progress).toMatchObject({ iterations: 27, dropped: 6, requests: 12, receivedBytes: 1500 });
    expect(progress).toMatchObject({ requestRate: 0, failedRate: 0, p95Ms: null, isP95LowerBound: false });
  });

  test("has the rates, the p95 and the VUs of its second alone", () => {
    const collector = new Collector(builtInClients);
    const duration = new Trend(2);
    for (let ms = 1; ms <= 19; ms++) duration.add(ms);
    duration.addLowerBound(20);
    const metrics = {
      http_reqs: { type: "counter", total: 20, samples: 20 },
      http_req_failed: { type: "rate", trues: 5, samples: 20 },
      http_req_duration: duration.toDelta(),
    } as const;
    collector.timeline.add(1, [{ id: 0, tags: {}, metrics }]);
    collector.timeline.add(2, [
      { id: 0, tags: null, metrics: { http_reqs: { type: "counter", total: 90, samples: 90 } } },
    ]);
    collector.timeline.engine.at(1).counts.vus = 7;
    const plan = planOf(constantVus("a"));
    const progress = progressOf(collector, load, 1, plan, 0);
    expect(progress).toMatchObject({ requestRate: 20, failedRate: 0.25, vus: 7, isP95LowerBound: false });
    expect(progress.p95Ms).toBeCloseTo(19, 0);
    expect(progressOf(collector, load, 2, plan, 0)).toMatchObject({
      requestRate: 90,
      failedRate: 0,
      p95Ms: null,
    });
    collector.timeline.clients.get("http")?.at(1).spreads.duration.addLowerBound(30);
    expect(progressOf(collector, load, 1, plan, 0)).toMatchObject({ isP95LowerBound: true });
  });

  test("has rates per second also where a long run is kept in intervals of several seconds", () => {
    const collector = new Collector(builtInClients);
    const metrics = { http_reqs: { type: "counter", total: 20, samples: 20 } } as const;
    for (const second of [700, 701]) collector.timeline.add(second, [{ id: 0, tags: {}, metrics }]);
    expect(progressOf(collector, load, 701, planOf(constantVus("a")), 0).requestRate).toBe(20);
  });

  test("in the warm-up counts what belongs to it, and its bytes are those of the whole run", () => {
    const warm = { ...load, warmupAccountings: [accountingOf(1)] };
    const plan = { ...planOf(constantVus("a")), warmupMs: 3000 };
    expect(progressOf(new Collector(builtInClients), warm, -1, plan, 0)).toMatchObject({
      isWarmup: true,
      atMs: 3000,
      iterations: 9,
      requests: 4,
      receivedBytes: 2000,
    });
    const measured = progressOf(new Collector(builtInClients), warm, 0, plan, 0);
    expect(measured).toMatchObject({ isWarmup: false, atMs: 4000, iterations: 27, receivedBytes: 2000 });
  });

  test.each([
    { load: "constant VUs", scenarios: [constantVus("a")], expected: 3750 },
    { load: "a constant arrival rate", scenarios: [arrivals("a")], expected: 3750 },
    { load: "counted iterations", scenarios: [constantVus("a"), sharedIterations("b")], expected: null },
    {
      load: "a scenario that starts later",
      scenarios: [constantVus("a"), { ...constantVus("b"), startTimeMs: 1000 }],
      expected: null,
    },
  ])("expects of $load after 4 of 10 s to receive $expected bytes", ({ scenarios, expected }) => {
    expect(progressOf(new Collector(builtInClients), load, 3, planOf(...scenarios), 0).expectedBytes).toBe(
      expected,
    );
  });

  test("expects no less than was received once the planned time is over", () => {
    expect(
      progressOf(new Collector(builtInClients), load, 11, planOf(constantVus("a")), 0).expectedBytes,
    ).toBe(1500);
  });

  test.each([
    { scenarios: [constantVus("a"), { ...constantVus("b"), startTimeMs: 5000 }], plannedMs: 15_000 },
    { scenarios: [constantVus("a"), sharedIterations("b")], plannedMs: null },
  ])("knows how long the plan lasts: $plannedMs ms", ({ scenarios, plannedMs }) => {
    expect(progressOf(new Collector(builtInClients), load, 0, planOf(...scenarios), 0).plannedMs).toBe(
      plannedMs,
    );
  });
});
