import type { ValidatedScenario } from "@bearhug/sdk/internal";

import { constantArrivals, rampingArrivals } from "../pacing/arrivals.ts";
import { rampingRate } from "../pacing/rate-profile.ts";
import { mostVus } from "../pacing/scenario-times.ts";
import { describeLoad } from "./describe-load.ts";
import type { FeedShare, PlannedScenario } from "../protocol/plan.ts";

/**
 * Numbers VUs and iterations over the whole test, so that each exists once and a seed gives the same ones again.
 * Scenarios whose iterations are counted beforehand come first, one after the other; the others share the rest by turns.
 */
export function numberWork(
  scenarios: readonly ValidatedScenario[],
  feeds: ReadonlyMap<string, readonly FeedShare[]> = new Map(),
  usualStopMs?: number,
): PlannedScenario[] {
  const numbers = numberInTurn(scenarios.map(plannedIterations));
  let vuIdOffset = 0;
  return scenarios.map((scenario, index) => {
    const planned = {
      scenario,
      description: describeLoad(scenario, usualStopMs),
      iterationIndexes: numbers[index] ?? { offset: 0, stride: 1 },
      vuIdOffset,
      feeds: feeds.get(scenario.name) ?? [],
    };
    vuIdOffset += mostVus(scenario);
    return planned;
  });
}

/** Numbers the things of several owners: the n-th of an owner is offset + n · stride. A count is null if it is not known. */
export function numberInTurn(counts: readonly (number | null)[]): PlannedScenario["iterationIndexes"][] {
  const uncounted = counts.filter((count) => count === null).length;
  const counted = counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
  let nextOffset = 0;
  let nextTurn = 0;
  return counts.map((count) => {
    if (count === null) return { offset: counted + nextTurn++, stride: uncounted };
    const offset = nextOffset;
    nextOffset += count;
    return { offset, stride: 1 };
  });
}

/** Returns the number of iterations of a scenario; null if it depends on the target or on chance. */
export function plannedIterations(scenario: ValidatedScenario): number | null {
  switch (scenario.executor) {
    case "shared-iterations":
      return scenario.iterations;
    case "per-vu-iterations":
      return scenario.vus * scenario.iterations;
    case "constant-arrival-rate":
      if (scenario.arrivals === "poisson") return null;
      return constantArrivals(scenario.rate, scenario.timeUnitMs, scenario.durationMs).total;
    case "ramping-arrival-rate":
      if (scenario.arrivals === "poisson") return null;
      return rampingArrivals(rampingRate(scenario.startRate, scenario.stages, scenario.timeUnitMs)).total;
    case "constant-vus":
    case "ramping-vus":
      return null;
  }
}
