import { median } from "@bearhug/metrics/statistics";
import type { OverloadRecovery } from "@bearhug/sdk/result";

import { uncertaintyOf, type Phases } from "./split-phases.ts";

/** A target has recovered after this many good intervals in a row: a single one may be chance. */
const minInRow = 2;

/**
 * The tolerated distance beyond the spread of the base phase, as a multiple of it: few intervals show only
 * part of the spread.
 */
const widening = 1;

/** The tolerated distance above the greatest p95 of the base phase, as a share of it. */
const toleratedShare = 0.25;

/** The tolerated distance above the greatest p95 of the base phase in ms: no user notices less. */
const toleratedMs = 1;

/**
 * Finds the time after the load fell at which goodput and p95 were back within the spread of the base phase;
 * null without a recovery phase.
 */
export function findRecovery({ base, recovery }: Phases): OverloadRecovery | null {
  const [first] = recovery.seconds;
  if (first === undefined || base.seconds.length === 0) return null;
  const resolutionMs = first.toMs - first.fromMs;
  const leastGoodput = leastOf(
    base.seconds.map(({ goodput }) => goodput),
    resolutionMs,
  );
  const mostP95 = mostOf(base.seconds.flatMap(({ p95 }) => (p95 === null ? [] : [p95])));
  const isBack = recovery.seconds.map(
    ({ goodput, p95 }) => goodput >= leastGoodput && p95 !== null && p95 <= mostP95,
  );
  const back = recovery.seconds.find((_, index) => {
    const row = isBack.slice(index, index + minInRow);
    return row.length === minInRow && row.every(Boolean);
  });
  const afterMs = back === undefined ? null : Math.max(0, back.fromMs - recovery.fromMs);
  return { afterMs, resolutionMs, leastGoodput, mostP95 };
}

function leastOf(goodputs: readonly number[], widthMs: number): number {
  const middle = median(goodputs) ?? 0;
  const least = Math.min(...goodputs);
  return Math.max(0, Math.min(least - (middle - least) * widening, middle - uncertaintyOf(middle, widthMs)));
}

function mostOf(times: readonly number[]): number {
  if (times.length === 0) return 0;
  const most = Math.max(...times);
  return most + Math.max(toleratedMs, most * toleratedShare, (most - (median(times) ?? most)) * widening);
}
