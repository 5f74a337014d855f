export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Null where there is no value. */
export function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? null;
}

/** Three standard errors of a rate per second that was counted for so long, if arrivals are as random as Poisson's. */
export function doubtOf(rate: number, ms: number): number {
  return 3 * Math.sqrt((rate * 1000) / ms);
}
