import { sum, sumBy } from "./sum.ts";

/** Returns 0 for an empty list. */
export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : sum(values) / values.length;
}

/** Returns the variance of the values around their mean, as an estimate from a sample. */
export function sampleVariance(values: readonly number[]): number {
  const centre = mean(values);
  return sumBy(values, (one) => (one - centre) ** 2) / Math.max(1, values.length - 1);
}

/** Returns null for an empty list. */
export function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? null;
}

/** Returns twice the ranks, so that those of ties, which share the mean of their ranks, are whole numbers. */
export function doubledRanks(values: readonly number[]): number[] {
  const order = values.map((value, at) => ({ value, at })).toSorted((one, other) => one.value - other.value);
  const ranks = new Array<number>(values.length).fill(0);
  for (let first = 0; first < order.length;) {
    let next = first + 1;
    while (next < order.length && order[next]?.value === order[first]?.value) next++;
    for (const { at } of order.slice(first, next)) ranks[at] = first + 1 + next;
    first = next;
  }
  return ranks;
}
