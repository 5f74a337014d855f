import { median } from "../overload/statistics.ts";

/** A lasting rise in a series. */
export interface Rise {
  /** The index of the first value that is greater. */
  readonly at: number;
  /** The median up to there. */
  readonly before: number;
  /** The median of the values from there on, {@link shownAfter} at most. */
  readonly after: number;
}

/** The moment of a rise ends after so many values. */
export const shownAfter = 10;
/** The share of series of independent values that may seem to rise. */
const mostChance = 0.01;
/** A smaller rise needs no explanation. */
const leastFactor = 1.5;
/** Neighbouring seconds resemble each other, so a rise must also stand out of this share of the values before it. */
const shareBelow = 0.9;
/** Zero has no logarithm. */
const shortestMs = 0.001;

/**
 * Finds the moment from which on values are greater: the split into two levels that fits best (least squares of logarithms), if
 * the Mann-Whitney test tells its parts apart, with its chance multiplied by the number of splits (Bonferroni).
 * Null if nothing rose by half or more.
 */
export function findRise(series: readonly (number | null)[]): Rise | null {
  const known = series.flatMap((value, index) => (value === null ? [] : [{ value, index }]));
  const values = known.map(({ value }) => value);
  const split = findSplit(values);
  if (values.length * chanceOf(separation(values, split)) >= mostChance) return null;
  const sorted = values.slice(0, split).sort((left, right) => left - right);
  const before = median(sorted);
  const high = sorted[Math.floor(shareBelow * sorted.length)];
  const after = median(values.slice(split, split + shownAfter));
  if (before === null || high === undefined || after === null) return null;
  if (after < leastFactor * before || after <= high) return null;
  return { at: known[split]?.index ?? 0, before, after };
}

/** The first index of the second level; 0 without two levels. */
function findSplit(values: readonly number[]): number {
  const logs = values.map((value) => Math.log(Math.max(value, shortestMs)));
  const total = logs.reduce((sum, log) => sum + log, 0);
  let [sum, greatest, at] = [0, 0, 0];
  for (const [index, log] of logs.entries()) {
    sum += log;
    const [first, second] = [index + 1, logs.length - index - 1];
    if (second === 0) break;
    const between = ((total - sum) / second - sum / first) ** 2 * first * second;
    if (between > greatest) [greatest, at] = [between, first];
  }
  return at;
}

/** The standardised statistic of the Mann-Whitney test: how clearly the values from `split` on exceed those before. */
function separation(values: readonly number[], split: number): number {
  const pairs = split * (values.length - split);
  if (pairs === 0) return 0;
  const ranks = midranks(values).slice(0, split);
  const rising = pairs + (split * (split + 1)) / 2 - ranks.reduce((sum, rank) => sum + rank, 0);
  return (rising - pairs / 2) / Math.sqrt((pairs * (values.length + 1)) / 12);
}

/** An upper bound of the chance that a standard normal variable exceeds z. */
function chanceOf(z: number): number {
  if (z <= 0) return 1;
  return Math.exp(-(z ** 2) / 2) / (z * Math.sqrt(2 * Math.PI));
}

/** Ranks from 1; equal values share the mean of theirs. */
function midranks(values: readonly number[]): number[] {
  const order = values
    .map((_, index) => index)
    .sort((left, right) => valueAt(values, left) - valueAt(values, right));
  const ranks: number[] = values.map(() => 0);
  for (let from = 0; from < order.length;) {
    let to = from + 1;
    while (to < order.length && valueAt(values, order[to]) === valueAt(values, order[from])) to++;
    for (const index of order.slice(from, to)) ranks[index] = (from + 1 + to) / 2;
    from = to;
  }
  return ranks;
}

function valueAt(values: readonly number[], index = 0): number {
  return values[index] ?? 0;
}
