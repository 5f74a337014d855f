import { minGoodShare } from "../min-good-share.ts";
import type { SearchTrial } from "./load-records.ts";

function hasCollapsed({ load, goodLoad }: SearchTrial): boolean {
  return goodLoad < load * minGoodShare;
}

/** Returns the last trial that measured the target, and the lowest load that it served. */
function readTrials(trials: readonly SearchTrial[]): {
  readonly last: SearchTrial | undefined;
  readonly lowestServed: number | null;
} {
  const judged = trials.filter(({ isGeneratorLimited }) => !isGeneratorLimited);
  const served = judged.filter((trial) => !hasCollapsed(trial)).map(({ load }) => load);
  return { last: judged.at(-1), lowestServed: served.length === 0 ? null : Math.min(...served) };
}

/**
 * Returns the load to retry after a trial that failed almost completely, to see if the target is down or only
 * overloaded: the lowest that was served. Null if no retry is needed.
 */
export function loadToRetry(trials: readonly SearchTrial[]): number | null {
  const { last, lowestServed } = readTrials(trials);
  if (last === undefined || lowestServed === null || !hasCollapsed(last)) return null;
  return last.load > lowestServed ? lowestServed : null;
}

/** True if the last trial failed almost completely at a load that was served before. */
export function isTargetDown(trials: readonly SearchTrial[]): boolean {
  const { last, lowestServed } = readTrials(trials);
  if (last === undefined || !hasCollapsed(last)) return false;
  return lowestServed !== null && last.load <= lowestServed;
}
