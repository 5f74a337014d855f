import { findCrossing, type Crossing } from "./fit-rate.ts";
import type { LoadRecord } from "./load-records.ts";
import { normalQuantile } from "./quantiles.ts";

/** The bounds that trials set to the highest load that meets the objectives. */
export interface Bounds {
  /** The highest load that passed, below all that failed; null for none. An undecided load is never a bound. */
  readonly passed: number | null;
  /** The lowest load that failed; null for none. */
  readonly failed: number | null;
  /** The highest load that looks met and the lowest that looks violated, decided or not: they guide the search. */
  readonly met: LoadRecord | null;
  readonly violated: LoadRecord | null;
  /** The load at which the first objective meets its bound, by the line through all trials near it. */
  readonly crossing: (Crossing & { readonly low: number; readonly high: number }) | null;
}

/**
 * Either end of the interval of a crossing is wrong at most this often, however often it is looked at: each load that joins
 * the line spends a part of the risk.
 */
const risk = 0.025;

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
  return { passed, failed, met, violated, crossing: firstCrossing(records, passed, failed) };
}

/** The objective that is violated first limits the load. */
function firstCrossing(
  records: readonly LoadRecord[],
  passed: number | null,
  failed: number | null,
): Bounds["crossing"] {
  const count = records[0]?.points.length ?? 0;
  const crossings = Array.from({ length: count }, (_, index) =>
    findCrossing(records.flatMap(({ points }) => points[index] ?? [])),
  ).flatMap((crossing) => (crossing === null ? [] : [withInterval(crossing)]));
  const within = crossings.filter(
    ({ low, high }) => high > (passed ?? 0) && low < (failed ?? Number.POSITIVE_INFINITY),
  );
  return within.sort((left, right) => left.load - right.load)[0] ?? null;
}

function withInterval(crossing: Crossing): NonNullable<Bounds["crossing"]> {
  const { load, standardError, loads } = crossing;
  const looks = loads - 1;
  const reach = normalQuantile(risk / (looks * (looks + 1))) * standardError;
  return { ...crossing, low: Math.max(0, load - reach), high: load + reach };
}
