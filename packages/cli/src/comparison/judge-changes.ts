import type { SidedChange } from "./compare-sides.ts";
import { normalFromStudent, normalQuantile, studentFromNormal } from "./quantiles.ts";

/** One change for the better or the worse, and how much of it is accepted. */
export interface ToleratedChange {
  /** Positive for the worse; null where nothing is known. */
  readonly change: SidedChange | null;
  /** The largest change for the worse that is accepted, on the change's own scale. */
  readonly tolerance: number;
}

/** The answer for one change, with the interval that it follows from. */
export interface JudgedChange {
  readonly answer: "regressed" | "ok" | "undecided";
  readonly interval: readonly [low: number, high: number] | null;
}

/** The probability of a wrong answer. */
const level = 0.05;

/**
 * Judges changes that decide together. Regressed: the whole interval is above the tolerance. Ok: the whole interval is below
 * it. The lower ends are adjusted for the number of changes (Holm), so that all are called regressed wrongly in at most 1 of
 * 20 comparisons. The upper ends need no adjustment: all changes must be ok for the whole to be.
 */
export function judgeChanges(changes: readonly ToleratedChange[]): JudgedChange[] {
  const known = changes.flatMap(({ change, tolerance }, at) => {
    if (change === null) return [];
    const { shift, error, freedom } = change;
    const t = error === 0 ? Math.sign(shift - tolerance) * Number.MAX_VALUE : (shift - tolerance) / error;
    return [{ at, change, tolerance, evidence: error === 0 ? t : normalFromStudent(t, freedom) }];
  });
  const judged = changes.map((): JudgedChange => ({ answer: "undecided", interval: null }));
  let left = known.length;
  for (const { at, change, tolerance, evidence } of known.toSorted(
    (one, two) => two.evidence - one.evidence,
  )) {
    const quantile = normalQuantile(1 - level / left);
    const { shift, error, freedom } = change;
    const low = shift - error * studentFromNormal(quantile, freedom);
    const high = shift + error * studentFromNormal(normalQuantile(1 - level), freedom);
    const isRegressed = evidence > quantile;
    if (isRegressed) left--;
    const answer = isRegressed ? "regressed" : high < tolerance ? "ok" : "undecided";
    judged[at] = {
      answer,
      interval: [isRegressed ? Math.max(low, tolerance) : Math.min(low, tolerance), high],
    };
  }
  return judged;
}

/** The interval of a change that decides nothing: 19 of 20 hold the true one. */
export function intervalOf({ shift, error, freedom }: SidedChange): readonly [low: number, high: number] {
  const margin = error * studentFromNormal(normalQuantile(1 - level / 2), freedom);
  return [shift - margin, shift + margin];
}
