import type { CountedRange } from "./histogram.ts";
import { sumBy } from "./sum.ts";

/** One line of a distribution: `count` samples are at or below `value`. */
export interface PercentileStep {
  readonly value: number;
  /** The requested level, from 0 to 100. The step's samples are this share of all, or more. */
  readonly percentile: number;
  readonly count: number;
}

/** Steps between a percentile and the one half as far from 100. */
const ticksPerHalfDistance = 5;

/**
 * Returns the percentiles that HdrHistogram lists, which come closer to each other towards 100: five between
 * 0 and 50, five between 50 and 75, and so on, as long as there are samples to distinguish them.
 *
 * Source: PercentileIterator of HdrHistogram for Java.
 */
export function percentileSteps(ranges: readonly CountedRange[]): PercentileStep[] {
  const total = countOf(ranges);
  const steps: PercentileStep[] = [];
  let count = 0;
  let percentile = 0;
  for (const range of ranges) {
    count += range.count;
    while ((100 * count) / total >= percentile) {
      steps.push({ value: range.highest, percentile, count });
      percentile += 100 / (ticksPerHalfDistance * 2 ** (halvings(percentile) + 1));
      if (count === total) return [...steps, { value: range.highest, percentile: 100, count }];
    }
  }
  return steps;
}

/** Returns how often the distance to 100 has been halved. */
function halvings(percentile: number): number {
  return Math.trunc(Math.log(100 / (100 - percentile)) / Math.log(2));
}

/** Mean and deviation of the samples of a histogram; each sample counts as the middle of its range. */
export interface DistributionSummary {
  readonly count: number;
  readonly mean: number;
  readonly standardDeviation: number;
  /** The upper end of the highest range with samples. */
  readonly max: number;
}

/** Summarizes a distribution; all figures are 0 without samples. */
export function summarizeDistribution(ranges: readonly CountedRange[]): DistributionSummary {
  const count = countOf(ranges);
  if (count === 0) return { count, mean: 0, standardDeviation: 0, max: 0 };
  const mean = sumBy(ranges, (range) => middleOf(range) * range.count) / count;
  const squares = sumBy(ranges, (range) => (middleOf(range) - mean) ** 2 * range.count);
  return { count, mean, standardDeviation: Math.sqrt(squares / count), max: ranges.at(-1)?.highest ?? 0 };
}

function countOf(ranges: readonly CountedRange[]): number {
  return sumBy(ranges, (range) => range.count);
}

function middleOf({ lowest, highest }: CountedRange): number {
  return lowest + Math.floor((highest - lowest + 1) / 2);
}
