import type { OverloadRecovery } from "@bearhug/sdk/result";

import type { Phases } from "./split-phases.ts";
import { doubtOf, median } from "./statistics.ts";

/** A target is back when so many intervals in a row are: one alone may be a chance between two bad ones. */
const leastInRow = 2;

/** So far beyond the spread of the base phase an interval may lie, as a multiple of it: few intervals show little of the spread. */
const widening = 1;

/** So far above the greatest p95 of the base phase an interval may lie, as a share of it. */
const leastMargin = 0.25;

/** A p95 so close to the greatest of the base phase, in ms, is no worse to any user. */
const leastMarginMs = 1;

/** How long after the load fell goodput and p95 were back within the spread of the base phase; null without a recovery phase. */
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
    const row = isBack.slice(index, index + leastInRow);
    return row.length === leastInRow && row.every(Boolean);
  });
  const afterMs = back === undefined ? null : Math.max(0, back.fromMs - recovery.fromMs);
  return { afterMs, resolutionMs, leastGoodput, mostP95 };
}

function leastOf(goodputs: readonly number[], widthMs: number): number {
  const middle = median(goodputs) ?? 0;
  const least = Math.min(...goodputs);
  return Math.max(0, Math.min(least - (middle - least) * widening, middle - doubtOf(middle, widthMs)));
}

function mostOf(times: readonly number[]): number {
  if (times.length === 0) return 0;
  const most = Math.max(...times);
  return most + Math.max(leastMarginMs, most * leastMargin, (most - (median(times) ?? most)) * widening);
}
