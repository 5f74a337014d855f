import type { SweepKnee, TrialResult } from "@bearhug/sdk/result";

/** A knee this close to the greatest load tried is that load: nothing shows that throughput levels off. */
const leastMargin = 1.25;

/** So much more than the least load must the knee be, to be told from it. */
const leastGrowth = 1.1;

/** A target that falls this far behind the rate is past its knee. */
const keptUpShare = 0.95;

/**
 * The knee of a ladder: where the two asymptotes of throughput meet. With few users throughput grows with each of them, as
 * N / R₀, where R₀ is the time of an iteration that meets no other; with many it stays at X, the most that the target can do.
 * So N* = X · R₀, the saturation point of operational analysis (P. J. Denning and J. P. Buzen, "The Operational Analysis of
 * Queueing Network Models", 1978). Of a ladder of rates it is X itself: the target keeps up with rates below.
 *
 * @param steps those that measured the target, from the least load to the greatest
 */
export function findKnee(steps: readonly TrialResult[]): SweepKnee {
  const [first] = steps;
  if (first === undefined || steps.length < 2) return { state: "unknown", load: null };
  return first.load.kind === "rate" ? kneeOfRates(steps) : kneeOfUsers(steps);
}

function kneeOfUsers(steps: readonly TrialResult[]): SweepKnee {
  const busy = steps.filter(({ iterationRate, busyVus }) => iterationRate > 0 && busyVus > 0);
  if (busy.length < 2) return { state: "unknown", load: null };
  const mostRate = Math.max(...busy.map(({ iterationRate }) => iterationRate));
  const leastTime = Math.min(...busy.map(({ iterationRate, busyVus }) => busyVus / iterationRate));
  const load = mostRate * leastTime;
  const users = busy.map(({ busyVus }) => busyVus);
  if (load < Math.min(...users) * leastGrowth) return { state: "at-lowest-load", load: null };
  if (load * leastMargin > Math.max(...users)) return { state: "not-reached", load: null };
  return { state: "found", load };
}

function kneeOfRates(steps: readonly TrialResult[]): SweepKnee {
  const behind = steps.findIndex(
    ({ offeredRate, iterationRate }) => offeredRate !== null && iterationRate < offeredRate * keptUpShare,
  );
  if (behind === -1) return { state: "not-reached", load: null };
  if (behind === 0) return { state: "at-lowest-load", load: null };
  return { state: "found", load: Math.max(...steps.map(({ iterationRate }) => iterationRate)) };
}
