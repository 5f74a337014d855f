import { doubledRanks } from "../statistics.ts";
import { sum } from "../sum.ts";

/** The shift of paired differences: how certain it is, and how large. */
export interface Shift {
  /** The probability of differences at least as lopsided, if either sign of each were equally likely. */
  readonly pValue: number;
  /** The median of the means of all pairs of differences (Hodges and Lehmann). */
  readonly estimate: number;
  /** The 95 % confidence interval; null if there are too few differences (fewer than 6). */
  readonly interval: readonly [low: number, high: number] | null;
}

const tail = 0.025;

/**
 * Returns the result of Wilcoxon's signed-rank test, exact even with ties; differences of 0 are left out
 * of it. It makes no assumption about the differences if chance has decided the order within each pair:
 * then, if both sides are alike, swapping them is equally likely, however much the measurements depend on
 * each other or drift.
 *
 * Sources: Wilcoxon 1945; Hollander and Wolfe, "Nonparametric Statistical Methods", chapter 3.
 */
export function signedRank(differences: readonly number[]): Shift | null {
  if (differences.length === 0) return null;
  return {
    pValue: pValueOf(differences.filter((one) => one !== 0)),
    ...hodgesLehmann(differences),
  };
}

function pValueOf(differences: readonly number[]): number {
  const ranked = doubledRanks(differences.map(Math.abs));
  const total = sum(ranked);
  const positive = ranked.reduce((sum, rank, at) => sum + ((differences[at] ?? 0) > 0 ? rank : 0), 0);
  const lesser = Math.min(positive, total - positive);
  const below = distribution(ranked).slice(0, lesser + 1);
  return Math.min(1, sum(below) * 2);
}

/** Returns the probability of each sum of ranks, if each rank is included or not with equal chance. */
function distribution(ranks: readonly number[]): Float64Array {
  const total = sum(ranks);
  const probabilities = new Float64Array(total + 1);
  probabilities[0] = 1;
  let reached = 0;
  for (const rank of ranks) {
    reached += rank;
    for (let sum = reached; sum >= 0; sum--) {
      const without = probabilities[sum] ?? 0;
      const withRank = sum < rank ? 0 : (probabilities[sum - rank] ?? 0);
      probabilities[sum] = (without + withRank) / 2;
    }
  }
  return probabilities;
}

function hodgesLehmann(differences: readonly number[]): Pick<Shift, "estimate" | "interval"> {
  const means = new Float64Array((differences.length * (differences.length + 1)) / 2);
  let at = 0;
  for (const [index, one] of differences.entries())
    for (const other of differences.slice(index)) means[at++] = (one + other) / 2;
  means.sort();
  const beyond = ranksBeyond(differences.length);
  const [low, high] = [means[beyond - 1], means[means.length - beyond]];
  const interval = low === undefined || high === undefined ? null : ([low, high] as const);
  return { estimate: medianOf(means), interval };
}

function medianOf(sorted: Float64Array): number {
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
}

/** Returns the rank, from 1, of the mean at each end of the interval; 0 if there is none. */
function ranksBeyond(pairs: number): number {
  const probabilities = distribution(Array.from({ length: pairs }, (_, index) => index + 1));
  let beyond = 0;
  for (let sum = probabilities[0] ?? 0; sum <= tail; sum += probabilities[beyond] ?? 1) beyond++;
  return beyond;
}
