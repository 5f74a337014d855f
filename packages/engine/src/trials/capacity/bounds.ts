import type { LoadRecord } from "./load-records.ts";
import { locateLimit, type Limit } from "./locate-limit.ts";

/** The bounds of the highest load that meets the objectives, from all trials. */
export interface Bounds {
  /** The highest load that passed, below all that failed; null for none. An undecided load is never a bound. */
  readonly passed: number | null;
  /** The lowest load that failed; null for none. */
  readonly failed: number | null;
  /** The highest load that looks met and the lowest that looks violated, decided or not: they guide the search. */
  readonly met: LoadRecord | null;
  readonly violated: LoadRecord | null;
  /** The load at which the first objective reaches its bound, estimated from all trials. */
  readonly limit: Limit | null;
}

export function findBounds(records: readonly LoadRecord[]): Bounds {
  const failed = records.find(({ verdict }) => verdict === "FAIL")?.load ?? null;
  const below = records.filter(({ load }) => failed === null || load < failed);
  const passed = below.findLast(({ verdict }) => verdict === "PASS")?.load ?? null;
  const met = below.findLast(({ looksViolated, verdict }) => verdict === "PASS" || !looksViolated) ?? null;
  const violated =
    records.find(
      ({ load, looksViolated, verdict }) =>
        verdict === "FAIL" || (verdict !== "PASS" && looksViolated && load > (met?.load ?? 0)),
    ) ?? null;
  return { passed, failed, met, violated, limit: firstLimit(records, passed, failed) };
}

/** Returns the lowest possible limit, which is that of the objective that is violated first. */
function firstLimit(
  records: readonly LoadRecord[],
  passed: number | null,
  failed: number | null,
): Limit | null {
  const count = records[0]?.points.length ?? 0;
  const limits = Array.from({ length: count }, (_, index) =>
    locateLimit(
      records.flatMap(({ points }) => points[index] ?? []),
      index,
    ),
  ).flatMap((limit) => limit ?? []);
  const possible = limits.filter(
    ({ low, high }) => high > (passed ?? 0) && low < (failed ?? Number.POSITIVE_INFINITY),
  );
  return possible.sort((left, right) => left.load - right.load)[0] ?? null;
}
