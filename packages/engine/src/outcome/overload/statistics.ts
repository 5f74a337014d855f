import { sum } from "@bearhug/metrics/sum";

export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : sum(values) / values.length;
}

/** Returns null for an empty list. */
export function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? null;
}

/**
 * Returns three standard errors of a rate per second that was counted for `ms`, assuming Poisson arrivals.
 */
export function uncertaintyOf(rate: number, ms: number): number {
  return 3 * Math.sqrt((rate * 1000) / ms);
}
