import { signedRank, type Shift } from "./signed-rank.ts";

/**
 * One figure of two sides that took turns: the value of each side in each block, null if the
 * side has none there.
 */
export interface PairedFigure {
  readonly base: readonly (number | null)[];
  readonly other: readonly (number | null)[];
  /** Relative: as a share of the base, for values above 0. Absolute: in the figure's own unit. */
  readonly change: "relative" | "absolute";
}

/** The difference of one side's figure from the base's. */
export interface Difference {
  /** 0.1 for 10 % more, or in the figure's own unit; null without a pair. */
  readonly change: number | null;
  /** Its 95 % confidence interval; null if there are too few blocks. */
  readonly interval: readonly [low: number, high: number] | null;
  /**
   * True if the difference is significant: chance alone would make any of the compared figures look so
   * different in at most 1 of 20 runs.
   */
  readonly isReal: boolean;
}

/** The probability that at least one equal figure is reported as different. */
const familyLevel = 0.05;

/**
 * Compares figures of turns. Pass all figures of a report in one call, because the error probability is
 * that of all together.
 */
export function compareTurns(figures: readonly PairedFigure[]): Difference[] {
  const shifts = figures.map((figure) => ({ figure, shift: signedRank(differencesOf(figure)) }));
  const isReal = holm(
    shifts.map(({ shift }) => shift?.pValue ?? 1),
    familyLevel,
  );
  return shifts.map(({ figure, shift }, at) => ({
    ...describeShift(shift, figure.change),
    isReal: isReal[at] === true,
  }));
}

function differencesOf({ base, other, change }: PairedFigure): number[] {
  return base.flatMap((one, block) => {
    const two = other[block] ?? null;
    if (one === null || two === null) return [];
    if (change === "absolute") return [two - one];
    return one > 0 && two > 0 ? [Math.log(two / one)] : [];
  });
}

function describeShift(
  shift: Shift | null,
  change: PairedFigure["change"],
): Pick<Difference, "change" | "interval"> {
  if (shift === null) return { change: null, interval: null };
  const shown = change === "absolute" ? (value: number): number => value : Math.expm1;
  const { estimate, interval } = shift;
  return { change: shown(estimate), interval: interval && [shown(interval[0]), shown(interval[1])] };
}

/**
 * Returns the least number of pairs: with fewer, not even the clearest of so many differences can be
 * distinguished from chance.
 */
export function minPairs(figures: number): number {
  return Math.ceil(Math.log2((2 * Math.max(1, figures)) / familyLevel));
}

/**
 * Returns for each of several tests whether its result is significant. The probability that any is called
 * significant although nothing differs is at most `level`, even if the tests depend on each other.
 *
 * Source: Holm, "A Simple Sequentially Rejective Multiple Test Procedure", 1979.
 */
function holm(pValues: readonly number[], level: number): boolean[] {
  const isSignificant = new Array<boolean>(pValues.length).fill(false);
  const order = pValues
    .map((pValue, at) => ({ pValue, at }))
    .toSorted((one, other) => one.pValue - other.pValue);
  for (const [step, { pValue, at }] of order.entries()) {
    if (pValue > level / (pValues.length - step)) break;
    isSignificant[at] = true;
  }
  return isSignificant;
}
