import { normalQuantile, studentQuantile, studentTail } from "../quantiles.ts";
import type { SidedChange } from "./compare-sides.ts";

/** One change for the better or the worse, and the size that is accepted. */
export interface ToleratedChange {
  /** Positive for the worse; null if nothing is known. */
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
 * Judges changes that decide together. Regressed: the whole interval is above the tolerance. Ok: the whole
 * interval is below it. The lower ends are adjusted for the number of changes (Holm), so that at most 1 of 20
 * comparisons wrongly calls any change regressed. The upper ends need no adjustment: all changes must be ok
 * for the whole to be.
 */
export function judgeChanges(changes: readonly ToleratedChange[]): JudgedChange[] {
  const known = changes.flatMap(({ change, tolerance }, at) =>
    change === null ? [] : [{ at, change, tolerance, evidence: evidenceOf(change, tolerance) }],
  );
  const judged = changes.map((): JudgedChange => ({ answer: "undecided", interval: null }));
  let left = known.length;
  for (const { at, change, tolerance } of known.toSorted((one, two) => two.evidence - one.evidence)) {
    const low = change.shift - marginOf(change, 1 - level / left);
    const high = change.shift + marginOf(change, 1 - level);
    const isRegressed = low > tolerance;
    if (isRegressed) left--;
    judged[at] = {
      answer: isRegressed ? "regressed" : high < tolerance ? "ok" : "undecided",
      interval: [low, high],
    };
  }
  return judged;
}

/** The noise between runs that a single answer allows for, in standard deviations. */
const singleQuantile: number = normalQuantile(1 - level);

/**
 * Returns a measure of how unlikely a change is if the true one is at its tolerance: always below 0, and
 * closest to 0 for the least likely.
 */
function evidenceOf({ shift, error, noise, freedom }: SidedChange, tolerance: number): number {
  const beyond =
    Math.sign(shift - tolerance) *
    Math.sqrt(Math.max(0, (shift - tolerance) ** 2 - (singleQuantile * noise) ** 2));
  return -studentTail(error === 0 ? beyond * Number.MAX_SAFE_INTEGER : beyond / error, freedom);
}

/**
 * Returns the margin of a change at a probability. Noise between runs moves all figures together, so it needs
 * no adjustment for their number.
 */
function marginOf(
  { error, noise, freedom }: SidedChange,
  probability: number,
  noiseQuantile: number = singleQuantile,
): number {
  return Math.hypot(error * studentQuantile(probability, freedom), noiseQuantile * noise);
}

/** Returns the interval of a change that decides nothing: 19 of 20 such intervals contain the true change. */
export function intervalOf(change: SidedChange): readonly [low: number, high: number] {
  const probability = 1 - level / 2;
  const margin = marginOf(change, probability, normalQuantile(probability));
  return [change.shift - margin, change.shift + margin];
}
