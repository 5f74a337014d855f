import type { SweepKnee, TrialResult } from "@bearhug/sdk/result";

/**
 * A knee within this factor of the greatest load tried counts as not reached: nothing shows that throughput
 * levels off.
 */
const minMargin = 1.25;

/** The least factor between the lowest load and a knee, so that they can be distinguished. */
const minGrowth = 1.1;

/** A target that achieves less than this share of the rate is past its knee. */
const achievedShare = 0.95;

/**
 * Finds the knee of a ladder, where the two asymptotes of throughput meet. With few users, throughput grows
 * as N / R₀, where R₀ is the time of an iteration without contention; with many, it stays at X, the maximum
 * of the target. So N* = X · R₀, the saturation point of operational analysis (P. J. Denning and J. P. Buzen,
 * "The Operational Analysis of Queueing Network Models", 1978). In a ladder of rates, the knee is X itself:
 * the target keeps up with lower rates.
 *
 * @param steps the steps that measured the target, in ascending order of load
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
  if (load < Math.min(...users) * minGrowth) return { state: "at-lowest-load", load: null };
  if (load * minMargin > Math.max(...users)) return { state: "not-reached", load: null };
  return { state: "found", load };
}

function kneeOfRates(steps: readonly TrialResult[]): SweepKnee {
  const behind = steps.findIndex(
    ({ offeredRate, iterationRate }) => offeredRate !== null && iterationRate < offeredRate * achievedShare,
  );
  if (behind === -1) return { state: "not-reached", load: null };
  if (behind === 0) return { state: "at-lowest-load", load: null };
  return { state: "found", load: Math.max(...steps.map(({ iterationRate }) => iterationRate)) };
}
