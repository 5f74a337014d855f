import type { ValidatedScenario } from "@bearhug/sdk";

import { constantArrivals, rampingArrivals } from "../pacing/arrivals.ts";
import { rampingRate } from "../pacing/rate-profile.ts";
import { mostVus } from "../pacing/scenario-times.ts";
import { describeLoad } from "./describe-load.ts";
import type { PlannedScenario } from "../protocol/plan.ts";

/**
 * Numbers VUs and iterations over the whole test, so that each exists once and a seed gives the same ones again.
 * Scenarios whose iterations are counted beforehand come first, one after the other; the others share the rest by turns.
 */
export function numberWork(scenarios: readonly ValidatedScenario[]): PlannedScenario[] {
  const counts = scenarios.map(plannedIterations);
  const uncounted = counts.filter((count) => count === null).length;
  const counted = counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
  let nextOffset = 0;
  let nextTurn = 0;
  let vuIdOffset = 0;
  return scenarios.map((scenario, index) => {
    const count = counts[index] ?? null;
    const iterationIndexes =
      count === null
        ? { offset: counted + nextTurn++, stride: uncounted }
        : { offset: nextOffset, stride: 1 };
    nextOffset += count ?? 0;
    const planned = { scenario, description: describeLoad(scenario), iterationIndexes, vuIdOffset };
    vuIdOffset += mostVus(scenario);
    return planned;
  });
}

/** How many iterations a scenario has, or null when that is for the target, or for chance, to decide. */
function plannedIterations(scenario: ValidatedScenario): number | null {
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
