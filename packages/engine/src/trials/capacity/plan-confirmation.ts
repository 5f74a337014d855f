import { normalQuantile } from "@bearhug/sdk/internal";

import type { Estimate } from "./estimate.ts";
import { judgeEstimate } from "./judge.ts";
import type { LoadRecord } from "./load-records.ts";
import type { Limit } from "./locate-limit.ts";
import type { Objective } from "./objective.ts";

/** The risk that the confirmation stays undecided by the chance of its own requests. */
const risk = 0.2;
/** The limit may be lower than it looks by so much of its spread. */
const doubt = 0.5;
/** A load further below the limit is not tried: it would say little of the limit. */
const usualReach = 0.2;
const step = 0.005;
/** A confirmation is long enough to know its spread about so well. */
const degrees = 15;

type Evidence = Pick<LoadRecord, "load" | "measuredMs" | "points">;

/** The highest load below the limit that a run of this length is likely to confirm; null for none near the limit. */
export function planConfirmation(
  objective: Objective,
  limit: Limit,
  records: readonly Evidence[],
  measureMs: number,
  reach: number = usualReach,
): number | null {
  const lowest = limit.load - limit.spread * doubt;
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

/** The estimate of a run with so much worse luck than most, whose requests depend on each other as in a run like it. */
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
