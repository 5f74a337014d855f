import { normalQuantile } from "@bearhug/metrics/quantiles";

import type { Estimate } from "./estimate.ts";
import { judgeEstimate } from "./judge.ts";
import type { LoadRecord } from "./load-records.ts";
import type { Limit } from "./locate-limit.ts";
import type { Objective } from "./objective.ts";

/** The accepted probability that the confirmation stays undecided by chance. */
const risk = 0.2;
/** The share of the limit's spread by which the limit may be lower than estimated. */
const spreadShare = 0.5;
/**
 * The greatest distance below the limit, as a share of it: a lower load would show little about the limit.
 */
const maxReach = 0.2;
const step = 0.005;
/** The expected degrees of freedom of a confirmation's spread. */
const degrees = 15;

type Evidence = Pick<LoadRecord, "load" | "measuredMs" | "points">;

/**
 * Returns the highest load below the limit that a run of this length is likely to confirm; null if none is
 * near the limit.
 */
export function planConfirmation(
  objective: Objective,
  limit: Limit,
  records: readonly Evidence[],
  measureMs: number,
  reach: number = maxReach,
): number | null {
  const lowest = limit.load - limit.spread * spreadShare;
  for (let share = 1; share >= 1 - reach; share -= step) {
    const load = limit.load * share;
    const offset = limit.steepness * (load / lowest - 1);
    const expected = expectEstimate(
      objective,
      limit.objective,
      offset,
      nearest(records, load),
      measureMs * load,
    );
    if (expected !== null && judgeEstimate(objective, expected, 1).verdict === "PASS") return load;
  }
  return null;
}

function nearest(records: readonly Evidence[], load: number): Evidence | undefined {
  const distance = (record: Evidence): number => Math.abs(record.load - load);
  return records.toSorted((left, right) => distance(left) - distance(right))[0];
}

/**
 * Predicts the estimate of a run with bad luck (of probability `risk`), whose requests depend on each other
 * as in a similar run.
 */
function expectEstimate(
  { judges, bound }: Objective,
  index: number,
  offset: number,
  like: Evidence | undefined,
  size: number,
): Estimate | null {
  const point = like?.points[index];
  if (like === undefined || point === null || point === undefined) return null;
  const times = size / (like.measuredMs * like.load);
  const samples = point.effectiveSamples * times;
  const shared = { samples, designEffect: 1, pooledEffect: 1, degrees, spreadDegrees: degrees };
  if (judges === "mean") {
    const value = bound * Math.exp(offset);
    const standardError = (value * point.relativeError) / Math.sqrt(times);
    return { ...shared, value: value - normalQuantile(risk) * standardError, standardError };
  }
  const odds = (bound / (1 - bound)) * Math.exp(offset);
  const share = odds / (1 + odds);
  const value = Math.min(1, share - normalQuantile(risk) * Math.sqrt((share * (1 - share)) / samples));
  return { ...shared, value, standardError: 0 };
}
