import type { MetricDelta } from "@bearhug/metrics/accumulator";
import { Trend } from "@bearhug/metrics/trend";
import { describeLoad, modelOf } from "@bearhug/plan/executors/load-models";
import type { ValidatedScenario } from "@bearhug/plan/executors/validated-scenario";
import type { WorkerSnapshot } from "@bearhug/plan/protocol/messages";
import { SharedAccounting } from "@bearhug/plan/protocol/shared-accounting";
import type { IntervalSnapshot } from "@bearhug/sdk";
import { asMasked, ownWords } from "@bearhug/text/masked-text";
import { describe, expect, test } from "vitest";

import { builtInClients } from "../../src/built-in-clients.ts";
import { Collector } from "../../src/outcome/collect.ts";
import { newCollector } from "./new-collector.ts";
import { countLoad } from "../../src/outcome/load-counts.ts";
import { RunProgress, type RunningLoad } from "../../src/outcome/progress.ts";
import type { RecordedPlan } from "../../src/outcome/run-record.ts";
import { thresholdOf } from "../../../metrics/test/thresholds/threshold-of.ts";
import { arrivals, constantVus, sharedIterations } from "../../../plan/test/test-file/tests-for-plans.ts";

/** Returns the account of a worker that has done `times` as much as the first one. */
function accountingOf(times: number): SharedAccounting {
  const accounting = new SharedAccounting();
  accounting.add("iterationsStarted", 10 * times);
  accounting.add("iterationsCompleted", 6 * times);
  accounting.add("iterationsFailed", 3 * times);
  accounting.add("iterationsDropped", 2 * times);
  accounting.add("bytesReceived", 500 * times);
  for (let count = 0; count < 4 * times; count++) {
    const row = accounting.row(ownWords`GET /`);
    row.started();
    row.sent();
    if (count % 2 === 0) row.succeeded();
    else row.failed();
  }
  return accounting;
}

const load = {
  accountings: [accountingOf(1), accountingOf(2)],
  warmupAccountings: [],
  vuStateAccountings: [],
  startedAtMs: 0,
  workers: [],
};

function planOf(...scenarios: ValidatedScenario[]): RecordedPlan {
  return {
    testName: "test",
    seed: 1,
    baseUrl: null,
    scenarios: scenarios.map((scenario) => ({
      scenario,
      description: describeLoad(scenario),
      pacing: modelOf(scenario).pacing().parse(scenario),
    })),
    workers: 1,
    warmupMs: 0,
    maxDataBytes: null,
    clients: builtInClients,
    metrics: {},
    allowHosts: [],
  };
}

type Parts = ConstructorParameters<typeof RunProgress>[0];

/** Returns the progress of a test at the end of a second. */
function progressOf(
  collector: Collector,
  load: Omit<RunningLoad, "counts"> & Parameters<typeof countLoad>[0],
  second: number,
  plan: Parts["plan"],
  elapsedMs = 0,
  parts: Partial<Parts> = {},
): IntervalSnapshot {
  const progress = new RunProgress({
    plan,
    shard: null,
    thresholds: [],
    collector,
    usedByProcess: () => null,
    hide: asMasked,
    ...parts,
  });
  const counts = countLoad(load, plan.scenarios.length);
  return progress.at(second, { nowMs: plan.warmupMs + (second + 1) * 1000, elapsedMs }, { ...load, counts });
}

/** Returns a worker's snapshot of one second. */
function snapshotOf(
  interval: number,
  metrics: Readonly<Record<string, MetricDelta>>,
  parts: Partial<WorkerSnapshot> = {},
): WorkerSnapshot {
  return {
    interval,
    series: [{ id: 0, tags: {}, metrics }],
    errors: [],
    checkFaults: [],
    unmeasured: [],
    health: {
      utilization: 0.1,
      loopDelayP95Ms: 0,
      loopDelayP99Ms: 0,
      waitedMs: 0,
      pauses: { count: 0, totalMs: 0, longestMs: 0, longestAtMs: 0 },
      last: { durationMs: 1000, utilization: 0.1, loopDelayP99Ms: 0 },
    },
    overflow: { name: null, tags: null, foldedTags: [] },
    ...parts,
  };
}

const requests = (total: number): MetricDelta => ({ type: "counter", total, samples: total });

describe("the progress of a run", () => {
  test("counts the ended iterations and requests of all workers, and has the plan's time", () => {
    const progress = progressOf(newCollector(), load, 3, planOf(constantVus("a")), 7000);
    expect(progress).toMatchObject({ atMs: 4000, elapsedMs: 7000, plannedMs: 10_000, isWarmup: false });
    expect(progress).toMatchObject({ iterations: 27, dropped: 6, requests: 12, receivedBytes: 1500 });
    expect(progress).toMatchObject({ requestRate: 0, failedRate: 0, p95Ms: null, isP95LowerBound: false });
  });

  test("has the rates, the percentiles and the VUs of its second alone", () => {
    const collector = newCollector();
    const duration = new Trend(2);
    for (let ms = 1; ms <= 99; ms++) duration.add(ms);
    duration.addLowerBound(100);
    collector.add(
      0,
      snapshotOf(1, {
        http_reqs: requests(100),
        http_req_failed: { type: "rate", trues: 25, samples: 100 },
        http_req_duration: duration.toDelta(),
      }),
    );
    collector.add(0, snapshotOf(2, { http_reqs: requests(90) }));
    collector.gauge(1, { vus: 7, vusMade: 9, connectionsOpen: 5 });
    const plan = planOf(constantVus("a"));
    const progress = progressOf(collector, load, 1, plan);
    expect(progress).toMatchObject({ requestRate: 100, failedRate: 0.25, vus: 7 });
    expect([progress.p50Ms, progress.p95Ms, progress.p99Ms].map((ms) => Math.round(ms ?? 0))).toEqual([
      50, 95, 99,
    ]);
    expect(progress).toMatchObject({ isP50LowerBound: false, isP99LowerBound: false });
    expect(progressOf(collector, load, 2, plan)).toMatchObject({
      requestRate: 90,
      failedRate: 0,
      p50Ms: null,
      p95Ms: null,
      p99Ms: null,
    });
    const cutOff = new Trend(2);
    for (let ms = 0; ms < 5; ms++) cutOff.addLowerBound(90);
    collector.add(1, snapshotOf(1, { http_req_duration: cutOff.toDelta() }));
    expect(progressOf(collector, load, 1, plan)).toMatchObject({
      isP50LowerBound: false,
      isP95LowerBound: true,
      isP99LowerBound: true,
    });
  });

  test.each([700, 701])("has the rate of second %i alone, however long the run", (second) => {
    const collector = newCollector();
    for (const reported of [699, 700, 701])
      collector.add(0, snapshotOf(reported, { http_reqs: requests(20) }));
    collector.add(1, snapshotOf(690, { http_reqs: requests(1e6) }));
    expect(progressOf(collector, load, second, planOf(constantVus("a"))).requestRate).toBe(20);
    expect(progressOf(collector, load, 690, planOf(constantVus("a"))).requestRate).toBe(0);
  });

  test("counts errors by their codes, each with the name that most of them have", () => {
    const collector = newCollector();
    const error = (code: string, name: string, count: number) => ({
      code,
      cause: null,
      message: ownWords`it failed`,
      firstAtMs: 0,
      position: null,
      count,
      name: asMasked(name),
    });
    const errors = [
      error("HTTP_503", "GET /a", 4),
      error("TIMEOUT", "GET /a", 9),
      error("HTTP_503", "GET /key", 6),
      error("HTTP_404", "GET /b", 1),
    ];
    collector.add(0, snapshotOf(0, {}, { errors }));
    const hide = (text: string) => asMasked(text.replace("key", "***"));
    expect(progressOf(collector, load, 0, planOf(constantVus("a")), 0, { hide }).errors).toEqual([
      { code: "HTTP_503", count: 10, name: "GET /***" },
      { code: "TIMEOUT", count: 9, name: "GET /a" },
      { code: "HTTP_404", count: 1, name: "GET /b" },
    ]);
  });

  test("judges thresholds on the samples so far, except those without a sample or a full window", () => {
    const thresholds = [
      thresholdOf("http_reqs", "rate>=20"),
      thresholdOf("http_reqs{page:cart}", "count>1"),
      thresholdOf("http_req_duration", "p95<10"),
      thresholdOf("http_reqs", "count<30", { windowMs: 2000 }),
    ];
    const plan = planOf(constantVus("a"));
    const collector = new Collector({ plan, thresholds: thresholds.map((threshold) => ({ threshold })) });
    const slow = new Trend(3);
    slow.add(50);
    const standings = (second: number) => {
      const { thresholds: all } = progressOf(collector, load, second, plan, 0, { thresholds });
      return all.map(({ passed, actual }) => [passed, actual === null ? null : Math.round(actual)]);
    };
    const open = [null, null];
    expect(standings(-1)).toEqual([open, open, open, open]);
    collector.add(0, snapshotOf(0, { http_reqs: requests(20) }));
    expect(standings(0)).toEqual([[true, 20], open, open, open]);
    collector.add(0, snapshotOf(1, { http_reqs: requests(10), http_req_duration: slow.toDelta() }));
    collector.windows.advance(2, 1e9);
    expect(standings(1)).toEqual([[false, 15], open, [false, 50], [false, 30]]);
    expect(progressOf(collector, load, 1, plan, 0, { thresholds }).thresholds[2]).toMatchObject({
      metric: "http_req_duration",
      expression: "p95<10",
      unit: "ms",
      passed: false,
    });
    const overflow = { name: null, tags: "{}", foldedTags: ["page"] };
    collector.add(0, snapshotOf(1, {}, { overflow }));
    expect(standings(1)[1]).toEqual([false, null]);
  });

  test("has the variant whose turn it is, and the time left", () => {
    const variants = { names: ["plain", "br"], turnMs: 3000, changeoverMs: 600 };
    const plan = { ...planOf(constantVus("a")), variants };
    const turns = Array.from(
      { length: 7 },
      (_, second) => progressOf(newCollector(), load, second - 1, plan).turn,
    );
    expect(turns.map((turn) => turn?.leftMs)).toEqual([3000, 2000, 1000, 3000, 2000, 1000, 3000]);
    const names = turns.map((turn) => turn?.variant);
    expect(new Set(names.slice(0, 3)).size).toBe(1);
    expect(new Set([names[0], names[3]])).toEqual(new Set(["plain", "br"]));
    expect(progressOf(newCollector(), load, 0, planOf(constantVus("a")))).not.toHaveProperty("turn");
  });

  test("has the verdict on the generator", () => {
    const collector = newCollector();
    const busy = { ...snapshotOf(0, {}).health, utilization: 0.99 };
    collector.add(0, snapshotOf(0, {}, { health: busy }));
    const working = { ...load, workers: [{ id: 0, lost: null, isRunning: true }] };
    const { generator } = progressOf(collector, working, 4, planOf(constantVus("a")));
    expect(generator.verdict).toBe("saturated");
    expect(generator.reasons[0]).toContain("worker 0 was busy 99 % of the time");
    expect(progressOf(collector, load, 4, planOf(constantVus("a"))).generator).toEqual({
      verdict: "healthy",
      reasons: [],
    });
  });

  test("in the warm-up counts only that, but its bytes are those of the whole run", () => {
    const warm = { ...load, warmupAccountings: [accountingOf(1)] };
    const plan = { ...planOf(constantVus("a")), warmupMs: 3000 };
    expect(progressOf(newCollector(), warm, -1, plan, 0)).toMatchObject({
      isWarmup: true,
      atMs: 3000,
      iterations: 9,
      requests: 4,
      receivedBytes: 2000,
    });
    const measured = progressOf(newCollector(), warm, 0, plan, 0);
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
  ])("expects to receive $expected bytes from $load, after 4 of 10 s", ({ scenarios, expected }) => {
    expect(progressOf(newCollector(), load, 3, planOf(...scenarios), 0).expectedBytes).toBe(expected);
  });

  test("expects no fewer bytes than were received once the planned time is over", () => {
    expect(progressOf(newCollector(), load, 11, planOf(constantVus("a")), 0).expectedBytes).toBe(1500);
  });

  test.each([
    { scenarios: [constantVus("a"), { ...constantVus("b"), startTimeMs: 5000 }], plannedMs: 15_000 },
    { scenarios: [constantVus("a"), sharedIterations("b")], plannedMs: null },
  ])("has the duration of the plan: $plannedMs ms", ({ scenarios, plannedMs }) => {
    expect(progressOf(newCollector(), load, 0, planOf(...scenarios), 0).plannedMs).toBe(plannedMs);
  });
});
