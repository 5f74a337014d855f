import type { ValidatedScenario } from "@bearhug/plan/executors/validated-scenario";
import { wholeStripe } from "@bearhug/plan/pacing/stripe";
import {
  accountingMemory,
  SharedAccounting,
  type ScenarioCounter,
} from "@bearhug/plan/protocol/shared-accounting";
import type { ScenarioSnapshot } from "@bearhug/sdk";
import { asMasked } from "@bearhug/text/masked-text";
import { describe, expect, test } from "vitest";

import { countLoad } from "../../src/outcome/load-counts.ts";
import { ScenarioProgress } from "../../src/outcome/scenario-progress.ts";
import {
  arrivals,
  constantVus,
  perVuIterations,
  sharedIterations,
} from "../../../plan/test/test-file/tests-for-plans.ts";

/** Starts the second of two scenarios, in two workers after a warm-up. */
function startScenario(scenario: ValidatedScenario) {
  const accounting = () => new SharedAccounting(accountingMemory(2));
  const load = {
    accountings: [accounting(), accounting()],
    warmupAccountings: [accounting()],
    vuStateAccountings: [],
  };
  const progress = new ScenarioProgress(scenario.name, scenario, 1, wholeStripe);
  const hide = (text: string) => asMasked(text.replace("secret", "***"));
  return {
    count: (counts: Partial<Record<ScenarioCounter, number>>, of: SharedAccounting | undefined): void => {
      for (const [counter, amount] of Object.entries(counts))
        of?.scenario(1).add(counter as ScenarioCounter, amount);
    },
    load,
    at: (loadMs: number, isWarmup = false): ScenarioSnapshot =>
      progress.at(countLoad(load, 2), { loadMs, atMs: Math.floor(loadMs / 1000) * 1000, isWarmup }, hide),
  };
}

describe("the progress of a scenario", () => {
  test("sums all workers, with rates since the last call", () => {
    const { load, count, at } = startScenario(arrivals("secret browse", 40));
    const [one, other] = load.accountings;
    one?.scenario(0).add("started", 1000);
    count({ started: 30, ended: 20, interrupted: 1, dropped: 3 }, one);
    count({ started: 10, ended: 10 }, other);
    expect(at(1200)).toMatchObject({
      name: "*** browse",
      plannedRate: 40,
      iterationRate: 25,
      vus: 9,
      iterations: 30,
      dropped: 3,
      progress: 0.1,
      leftMs: 9000,
      startsInMs: 0,
      plannedIterations: null,
    });
    count({ ended: 8 }, other);
    expect(at(2200)).toMatchObject({ plannedRate: 40, iterationRate: 8, iterations: 38, vus: 1 });
    expect(at(10_200)).toMatchObject({ plannedRate: 39, progress: 1, leftMs: 0 });
    expect(at(11_200)).toMatchObject({ plannedRate: 0, iterationRate: 0 });
  });

  test("counts the warm-up's iterations only in the warm-up, and running VUs of both", () => {
    const { load, count, at } = startScenario(constantVus("a"));
    count({ started: 12, ended: 10, dropped: 1 }, load.warmupAccountings[0]);
    expect(at(1000, true)).toMatchObject({ iterations: 10, dropped: 1, vus: 2, iterationRate: 10 });
    count({ started: 6, ended: 5 }, load.accountings[0]);
    expect(at(2000)).toMatchObject({
      iterations: 5,
      dropped: 0,
      vus: 3,
      iterationRate: 5,
      plannedRate: null,
    });
  });

  test("that starts later waits for its time", () => {
    const { at } = startScenario({ ...arrivals("late", 10), startTimeMs: 5000 });
    expect(at(1000)).toMatchObject({ plannedRate: 0, progress: 0, startsInMs: 4000, leftMs: 10_000 });
    expect(at(6000)).toMatchObject({ plannedRate: 2, progress: 0.1, startsInMs: 0, leftMs: 9000 });
    expect(at(7000)).toMatchObject({ plannedRate: 10 });
  });

  test.each([
    { scenario: sharedIterations("a", 100), plannedIterations: 100, progress: 0.3 },
    { scenario: perVuIterations("a", 3, 20), plannedIterations: 60, progress: 0.5 },
  ])(
    "whose iterations are counted shows its progress as a share of $plannedIterations, and no time left",
    ({ scenario, plannedIterations, progress }) => {
      const { load, count, at } = startScenario(scenario);
      count({ started: 32, ended: 28, interrupted: 2 }, load.accountings[1]);
      expect(at(2000)).toMatchObject({ plannedIterations, progress, leftMs: null, iterations: 28 });
    },
  );
});
