import { doubledRanks, median } from "@bearhug/metrics/statistics";
import { sum } from "@bearhug/metrics/sum";

/** A lasting rise in a series. */
export interface Rise {
  /** The index of the first value that is greater. */
  readonly at: number;
  /** The median of the values before it. */
  readonly before: number;
  /** The median of the values from there on, {@link shownAfter} at most. */
  readonly after: number;
}

/** The number of values after a rise that describe it. */
export const shownAfter = 10;
/** The highest probability that a series of independent values seems to rise. */
const maxChance = 0.01;
/** The least factor of a rise that needs an explanation. */
const minFactor = 1.5;
/** Neighbouring seconds are correlated, so a rise must also exceed this share of the values before it. */
const shareBelow = 0.9;
/** The lower limit of times, because zero has no logarithm. */
const minMs = 0.001;

/**
 * Finds the moment from which values are greater: the split into two levels that fits best (least squares of
 * logarithms), if the Mann-Whitney test distinguishes its parts, with its probability multiplied by the
 * number of splits (Bonferroni). Returns null if nothing rose by half or more.
 */
export function findRise(series: readonly (number | null)[]): Rise | null {
  const known = series.flatMap((value, index) => (value === null ? [] : [{ value, index }]));
  const values = known.map(({ value }) => value);
  const split = findSplit(values);
  if (values.length * chanceOf(separation(values, split)) >= maxChance) return null;
  const sorted = values.slice(0, split).sort((left, right) => left - right);
  const before = median(sorted);
  const high = sorted[Math.floor(shareBelow * sorted.length)];
  const after = median(values.slice(split, split + shownAfter));
  if (before === null || high === undefined || after === null) return null;
  if (after < minFactor * before || after <= high) return null;
  return { at: known[split]?.index ?? 0, before, after };
}

/** Returns the first index of the second level; 0 without two levels. */
function findSplit(values: readonly number[]): number {
  const logs = values.map((value) => Math.log(Math.max(value, minMs)));
  const total = sum(logs);
  let [below, greatest, at] = [0, 0, 0];
  for (const [index, log] of logs.entries()) {
    below += log;
    const [first, second] = [index + 1, logs.length - index - 1];
    if (second === 0) break;
    const between = ((total - below) / second - below / first) ** 2 * first * second;
    if (between > greatest) [greatest, at] = [between, first];
  }
  return at;
}

/**
 * Returns the standardised statistic of the Mann-Whitney test: how clearly the values from `split` on exceed
 * those before.
 */
function separation(values: readonly number[], split: number): number {
  const pairs = split * (values.length - split);
  if (pairs === 0) return 0;
  const ranks = doubledRanks(values).slice(0, split);
  const rising = pairs + (split * (split + 1) - sum(ranks)) / 2;
  return (rising - pairs / 2) / Math.sqrt((pairs * (values.length + 1)) / 12);
}

/** Returns an upper bound of the probability that a standard normal variable exceeds z. */
function chanceOf(z: number): number {
  if (z <= 0) return 1;
  return Math.exp(-(z ** 2) / 2) / (z * Math.sqrt(2 * Math.PI));
}
