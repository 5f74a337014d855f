import type { ScenarioPacing } from "@bearhug/plan/executors/load-model";
import { expect, test } from "vitest";

import { TargetStore } from "../../../src/outcome/target-store.ts";
import { targetOutcomes } from "../../../src/outcome/verdict/target-outcomes.ts";
import { constantVus } from "../../../../plan/test/test-file/tests-for-plans.ts";

const second = 1000;

interface RunTimes {
  readonly runMs: number;
  readonly warmupMs?: number;
  readonly startTimeMs?: number;
  /** Absent if the plan of the scenario is not known. */
  readonly durationMs?: number;
}

/** Returns the failures at the end of a scenario whose target died at a moment, with three failures after its last success. */
function failedAtEnd(
  diedAtMs: number,
  { runMs, warmupMs = 0, startTimeMs = 0, durationMs }: RunTimes,
): number | null | undefined {
  const store = new TargetStore();
  const counts = { succeeded: 900, failed: 3, lastSuccess: { atMs: diedAtMs, failedSince: 3 } };
  store.add(Math.floor(diedAtMs / second), [{ scenario: "visits", origin: null, ...counts }]);
  const planned = {
    scenario: constantVus("visits"),
    description: "",
    ...(durationMs !== undefined && { pacing: pacingOf({ startTimeMs, durationMs }) }),
  };
  return targetOutcomes(store, { scenarios: [planned], warmupMs }, runMs)[0]?.failedAtEnd;
}

function pacingOf(times: { startTimeMs: number; durationMs: number }): ScenarioPacing {
  return { executor: "constant-vus", vus: 5, ...times };
}

test.each<[string, number, RunTimes]>([
  ["a second of a short run", 3000, { runMs: 4000, durationMs: 4000 }],
  ["a tenth of a long one", 54_000, { runMs: 60_000, durationMs: 60_000 }],
  ["half of a very short one", 500, { runMs: 1000, durationMs: 1000 }],
  ["a second of the planned time, to the millisecond", 3500, { runMs: 4500, durationMs: 4500 }],
  ["a second before a warmed-up run's end", 3000, { runMs: 4000, durationMs: 6000, warmupMs: 2000 }],
  ["the scenario's own, if others go on", 3000, { runMs: 9000, durationMs: 4000 }],
  ["the scenario's own, if it starts late", 11_000, { runMs: 12_000, startTimeMs: 9000, durationMs: 3000 }],
  ["a second of the time that was used, if the run was stopped", 5000, { runMs: 6000, durationMs: 60_000 }],
])("the end is %s", (_, startsMs, run) => {
  expect(failedAtEnd(startsMs, run)).toBeNull();
  expect(failedAtEnd(startsMs - 1, run)).toBe(3);
});

test("in a recording without the plan of a scenario, the end is that of the run", () => {
  expect(failedAtEnd(8999, { runMs: 10_000 })).toBe(3);
});
