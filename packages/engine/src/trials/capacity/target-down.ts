import { leastGoodShare } from "../least-good-share.ts";
import type { SearchTrial } from "./load-records.ts";

function hasFailedWholly({ load, goodLoad }: SearchTrial): boolean {
  return goodLoad < load * leastGoodShare;
}

/** The trials that are about the target, and the lowest load at which it did serve. */
function readTrials(trials: readonly SearchTrial[]): {
  readonly last: SearchTrial | undefined;
  readonly lowestServed: number | null;
} {
  const judged = trials.filter(({ isGeneratorLimited }) => !isGeneratorLimited);
  const served = judged.filter((trial) => !hasFailedWholly(trial)).map(({ load }) => load);
  return { last: judged.at(-1), lowestServed: served.length === 0 ? null : Math.min(...served) };
}

/**
 * The load to try again after a trial that failed nearly wholly, to see if the target is down or only overloaded: the lowest that
 * was served. Null if there is no question.
 */
export function loadToAskAgain(trials: readonly SearchTrial[]): number | null {
  const { last, lowestServed } = readTrials(trials);
  if (last === undefined || lowestServed === null || !hasFailedWholly(last)) return null;
  return last.load > lowestServed ? lowestServed : null;
}

/** True if the last trial failed nearly wholly at a load that was served before. */
export function isTargetDown(trials: readonly SearchTrial[]): boolean {
  const { last, lowestServed } = readTrials(trials);
  if (last === undefined || !hasFailedWholly(last)) return false;
  return lowestServed !== null && last.load <= lowestServed;
}
