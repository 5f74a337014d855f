import type { Bounds } from "./bounds.ts";
import type { LoadRecord } from "./load-records.ts";
import type { Objective } from "./objective.ts";
import { planConfirmation } from "./plan-confirmation.ts";

/** A load so far below the limit should pass. */
const farBelow = 0.5;
/** Loads that differ by less are as likely to pass. */
const near = 0.1;
/** The limit is known well enough to stay below it. */
const roughly = 0.2;
/** A load that is still undecided after so many long trials is too near the limit. */
const mostTrials = 2;

interface Proof {
  readonly load: number;
  readonly measureMs: number;
  readonly purpose: "search";
}

interface Wanted {
  readonly objectives: readonly Objective[];
  /** The load that is asked for; absent or null for none. */
  readonly atLeast?: number | null;
}

/**
 * A trial that shows a load to be met: the one that is asked for, or any, because an estimate needs a load that passed. Null
 * where that is shown, or where no trial is likely to show it.
 */
export function planProof(
  { objectives, atLeast = null }: Wanted,
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
    return triedMs(atLeast, atLeast) < mostTrials * confirmationMs ? prove(atLeast, confirmationMs) : null;
  const isKnown = limit !== null && limit.low >= limit.load * (1 - roughly);
  const objective = objectives[limit?.objective ?? 0];
  if (records.some(({ isClearlyMet }) => isClearlyMet) || !isKnown || objective === undefined) return null;
  const likely = planConfirmation(objective, limit, records, longMs, farBelow);
  const load = likely ?? limit.load * (1 - farBelow);
  return triedMs(0, load * (1 + near)) < longMs ? prove(load, longMs) : null;
}
