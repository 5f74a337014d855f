import { normalQuantile } from "./quantiles.ts";

/** The normal distribution's 97.5 % quantile: 95 % of it lie within so many standard deviations. */
const deviations: number = normalQuantile(0.975);

/**
 * The ranks, from 1, of the two sorted samples between which a percentile lies with 95 % confidence, whatever the
 * samples' distribution; null where there are too few. Assumes samples that do not depend on each other.
 *
 * Source: the normal approximation of the binomial order-statistic interval, Le Boudec, "Performance Evaluation of
 * Computer and Communication Systems", chapter 2: ⌊np − 1.96 √(np(1−p))⌋ and ⌈np + 1.96 √(np(1−p))⌉ + 1.
 */
export function confidenceRanks(
  percentile: number,
  samples: number,
): readonly [low: number, high: number] | null {
  const share = percentile / 100;
  const spread = deviations * Math.sqrt(samples * share * (1 - share));
  const low = Math.floor(samples * share - spread);
  const high = Math.ceil(samples * share + spread) + 1;
  return low >= 1 && high <= samples ? [low, high] : null;
}

/**
 * The least number of samples with a 95 % confidence interval for a percentile: 110 for p95, 563 for p99.
 * Infinite for 0 and 100, which no number of samples bounds on both sides.
 */
export function samplesForConfidence(percentile: number): number {
  const share = percentile / 100;
  const rarer = Math.min(share, 1 - share);
  if (rarer <= 0) return Number.POSITIVE_INFINITY;
  // Both ranks exist from n·rarer − spread(n) ≥ 1 on, which is quadratic in √n.
  const deviation = deviations * Math.sqrt(share * (1 - share));
  const root = (deviation + Math.sqrt(deviation ** 2 + 4 * rarer)) / (2 * rarer);
  let samples = Math.max(1, Math.floor(root ** 2) - 1);
  while (confidenceRanks(percentile, samples) === null) samples++;
  return samples;
}
