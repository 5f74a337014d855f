import type { Bounds } from "./bounds.ts";
import type { LoadRecord } from "./load-records.ts";
import type { Objective } from "./objective.ts";
import { planConfirmation } from "./plan-confirmation.ts";

/** A load this share below the limit should pass. */
const farBelow = 0.5;
/** Loads that differ by less than this share are equally likely to pass. */
const nearShare = 0.1;
/** If the limit is known this well, a load can be chosen that is certainly below it. */
const knownReach = 0.2;
/** A load that is still undecided after this many long trials is too close to the limit. */
const maxTrials = 2;

interface Proof {
  readonly load: number;
  readonly measureMs: number;
  readonly purpose: "search";
}

interface ProofGoal {
  readonly objectives: readonly Objective[];
  /** The load that must be proven; absent or null for none. */
  readonly atLeast?: number | null;
}

/**
 * Plans a trial that proves that a load meets the objectives: the required one, or any, because an estimate
 * needs a load that passed. Returns null if that is proven already, or if no trial is likely to prove it.
 */
export function planProof(
  { objectives, atLeast = null }: ProofGoal,
  records: readonly LoadRecord[],
  { passed, failed, limit, met }: Bounds,
  { longMs, confirmationMs }: { readonly longMs: number; readonly confirmationMs: number },
): Proof | null {
  const prove = (load: number, measureMs: number): Proof => ({ load, measureMs, purpose: "search" });
  const triedMs = (least: number, most: number): number =>
    records
      .filter(({ load }) => load >= least && load <= most)
      .reduce((longest, record) => Math.max(longest, record.measuredMs), 0);
  const highest = Math.min(limit?.load ?? met?.load ?? 0, failed ?? Number.POSITIVE_INFINITY);
  if (atLeast !== null && (passed ?? 0) < atLeast && atLeast < highest)
    return triedMs(atLeast, atLeast) < maxTrials * confirmationMs ? prove(atLeast, confirmationMs) : null;
  const isKnown = limit !== null && limit.low >= limit.load * (1 - knownReach);
  const objective = objectives[limit?.objective ?? 0];
  if (records.some(({ isClearlyMet }) => isClearlyMet) || !isKnown || objective === undefined) return null;
  const likely = planConfirmation(objective, limit, records, longMs, farBelow);
  const load = likely ?? limit.load * (1 - farBelow);
  return triedMs(0, load * (1 + nearShare)) < longMs ? prove(load, longMs) : null;
}
