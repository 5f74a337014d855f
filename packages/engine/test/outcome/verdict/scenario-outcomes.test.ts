import type { MetricDelta } from "@bearhug/metrics/accumulator";
import { SeriesStore } from "@bearhug/metrics/series-store";
import { Trend } from "@bearhug/metrics/trend";
import { describe, expect, test } from "vitest";

import { builtInClients } from "../../../src/built-in-clients.ts";
import { scenarioOutcomes } from "../../../src/outcome/verdict/scenario-outcomes.ts";
import { planScenarios } from "../../../../plan/src/test-file/make-plan.ts";
import { arrivals, constantVus } from "../../../../plan/test/test-file/tests-for-plans.ts";
import { thresholdOf } from "../../../../metrics/test/thresholds/threshold-of.ts";

const plan = {
  clients: builtInClients,
  scenarios: planScenarios([arrivals("buyers"), constantVus("readers")]),
};

const counter = (total: number): MetricDelta => ({ type: "counter", total, samples: total });
const rate = (trues: number, samples: number): MetricDelta => ({ type: "rate", trues, samples });

function trend(...values: number[]): MetricDelta {
  const filled = new Trend(3);
  for (const value of values) filled.add(value);
  return filled.toDelta();
}

function storeOf(...series: { tags: Record<string, string>; metrics: Record<string, MetricDelta> }[]) {
  const store = new SeriesStore();
  store.add(
    0,
    series.map((one, id) => ({ id, ...one })),
  );
  return store;
}

describe("the outcome of each planned scenario", () => {
  test("adds up only the series of that scenario", () => {
    const store = storeOf(
      { tags: { scenario: "buyers" }, metrics: { iteration_failed: rate(2, 9), vu_wait: trend(0, 1, 2) } },
      { tags: { scenario: "buyers", name: "GET /a" }, metrics: { http_reqs: counter(5) } },
      { tags: { scenario: "buyers", name: "GET /b" }, metrics: { http_reqs: counter(7) } },
      { tags: { scenario: "readers" }, metrics: { iteration_failed: rate(1, 1), http_reqs: counter(100) } },
    );
    expect(scenarioOutcomes(store, plan, [])).toMatchObject([
      {
        name: "buyers",
        executor: "constant-arrival-rate",
        completed: 7,
        failed: 2,
        requests: 12,
        arrived: 3,
      },
      { name: "readers", executor: "constant-vus", completed: 0, failed: 1, requests: 100, arrived: 0 },
    ]);
  });

  test("is zero in every respect for a scenario without samples", () => {
    const [buyers] = scenarioOutcomes(new SeriesStore(), plan, []);
    expect(buyers).toEqual({
      name: "buyers",
      executor: "constant-arrival-rate",
      source: null,
      arrivalRate: null,
      isEmpty: false,
      expectsNoRequests: false,
      expectsFailures: false,
      failedRequests: 0,
      names: new Set(),
      vuTime: { totalUs: 0, lostUs: 0 },
      judgesVuTime: false,
      completed: 0,
      failed: 0,
      requests: 0,
      redirects: 0,
      arrived: 0,
      drops: new Map(),
      unjudgedDrops: 0,
      unjudgedRequests: { ended: 0, failed: 0, names: new Set() },
      unjudgedIterations: { ended: 0, failed: 0 },
    });
  });

  describe("knows the failures that no threshold judges", () => {
    const readers = { scenario: "readers" };
    const store = storeOf(
      { tags: readers, metrics: { iteration_failed: rate(20, 100) } },
      { tags: { ...readers, name: "GET /", page: "home" }, metrics: { http_req_failed: rate(4, 100) } },
      { tags: { ...readers, name: "POST /pay" }, metrics: { http_req_failed: rate(30, 50) } },
      { tags: { ...readers, name: "GET /ok" }, metrics: { http_req_failed: rate(0, 50) } },
      { tags: { ...readers, check: "is fast" }, metrics: { checks: rate(97, 100) } },
    );
    const unjudged = (...keys: string[]) => {
      const thresholds = keys.map((key) => thresholdOf(key, "rate<1%"));
      const { unjudgedRequests, unjudgedIterations } = scenarioOutcomes(store, plan, thresholds)[1] ?? {};
      return [unjudgedRequests, unjudgedIterations];
    };
    const none = { ended: 0, failed: 0, names: new Set() };

    test("without a threshold on failures, all of them", () => {
      const all = [
        { ended: 200, failed: 34, names: new Set(["GET /", "POST /pay"]) },
        { ended: 100, failed: 20 },
      ];
      expect(unjudged()).toEqual(all);
      expect(unjudged("http_req_failed{page:nowhere}", "checks{check:never}")).toEqual(all);
    });

    test("a threshold on requests judges those that it selects, and as many iterations that failed with them", () => {
      expect(unjudged("http_req_failed{page:home}")).toEqual([
        { ended: 100, failed: 30, names: new Set(["POST /pay"]) },
        { ended: 100, failed: 16 },
      ]);
      expect(unjudged("http_req_failed")).toEqual([none, { ended: 100, failed: 0 }]);
    });

    test("a threshold on checks judges the requests of the scenario, and a failed check an iteration", () => {
      expect(unjudged("checks{check:is fast}")).toEqual([none, { ended: 100, failed: 0 }]);
      const iterationsThatThrew = storeOf(
        { tags: readers, metrics: { iteration_failed: rate(20, 100) } },
        { tags: { ...readers, check: "is fast" }, metrics: { checks: rate(97, 100) } },
      );
      const [, outcome] = scenarioOutcomes(iterationsThatThrew, plan, [thresholdOf("checks", "rate>90%")]);
      expect(outcome?.unjudgedIterations).toEqual({ ended: 100, failed: 17 });
    });

    test("a threshold on iterations judges no requests", () => {
      expect(unjudged("iteration_failed{scenario:readers}")).toEqual([
        { ended: 200, failed: 34, names: new Set(["GET /", "POST /pay"]) },
        { ended: 0, failed: 0 },
      ]);
    });
  });

  test("counts redirects that were expected, because other requests follow them", () => {
    const answered = (status: string, isExpected: boolean, count: number) => ({
      tags: { scenario: "buyers", status, expected_response: String(isExpected) },
      metrics: { http_reqs: counter(count) },
    });
    const store = storeOf(
      ...["301", "302", "303", "307", "308"].map((status) => answered(status, true, 1)),
      answered("302", false, 10),
      answered("200", true, 100),
      answered("304", true, 1000),
    );
    const [buyers] = scenarioOutcomes(store, plan, []);
    expect(buyers).toMatchObject({ requests: 1115, redirects: 5 });
  });

  test("says that no requests are expected if the test says so", () => {
    const silent = { ...constantVus("silent"), expectsNoRequests: true };
    const outcomes = scenarioOutcomes(
      new SeriesStore(),
      { clients: builtInClients, scenarios: planScenarios([silent]) },
      [],
    );
    expect(outcomes[0]?.expectsNoRequests).toBe(true);
  });

  describe("counts drops by their reason", () => {
    const dropped = (reason: string, count: number, page?: string) => ({
      tags: { scenario: "buyers", reason, ...(page === undefined ? {} : { page }) },
      metrics: { dropped_iterations: counter(count) },
    });
    const store = storeOf(
      dropped("busy", 3),
      dropped("busy", 4, "cart"),
      dropped("late", 2),
      dropped("stopped", 50),
      dropped("queue full", 0),
    );
    const dropsJudgedBy = (...keys: string[]) => {
      const thresholds = keys.map((key) => thresholdOf(key, "count<1"));
      const [buyers] = scenarioOutcomes(store, plan, thresholds);
      return buyers!;
    };

    test("except those after an early end, when nothing more was to be started", () => {
      expect([...dropsJudgedBy().drops]).toEqual([
        ["busy", 7],
        ["late", 2],
      ]);
    });

    test("and counts those that no threshold of the test judges", () => {
      expect(dropsJudgedBy().unjudgedDrops).toBe(9);
      expect(dropsJudgedBy("iterations").unjudgedDrops).toBe(9);
      expect(dropsJudgedBy("dropped_iterations{reason:busy}").unjudgedDrops).toBe(2);
      expect(
        dropsJudgedBy("dropped_iterations{reason:busy}", "dropped_iterations{reason:late}"),
      ).toMatchObject({
        unjudgedDrops: 0,
      });
      expect(dropsJudgedBy("dropped_iterations").unjudgedDrops).toBe(0);
    });
  });
});
