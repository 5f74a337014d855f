import type { ValidatedScenario } from "@bearhug/sdk/internal";

import { describeLoad, modelOf, mostVus } from "../executors/load-models.ts";
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
  const numbers = numberInTurn(scenarios.map((scenario) => modelOf(scenario).plannedIterations(scenario)));
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
