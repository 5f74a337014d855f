import { decodeHistogram } from "./histogram-encoding.ts";
import type { HistogramBuckets } from "./bucket-counts.ts";
import { lowestOfBucket, magnitudeOf, widthOfBucket } from "./bucket-scale.ts";
import { trendScale } from "./trend.ts";

/** A bucket of a result's compact histogram. */
export interface BucketRange {
  /** In ms. */
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** Returns the buckets of a result's compact histogram in ascending order; empty if it cannot be read. */
export function bucketRanges(histogram: string): BucketRange[] {
  const decoded = decodeHistogram(histogram);
  return decoded === null ? [] : rangesOf(decoded.buckets, magnitudeOf(decoded.precision));
}

function rangesOf(buckets: HistogramBuckets, magnitude: number): BucketRange[] {
  return Array.from({ length: buckets.length / 2 }, (_, pair) => {
    const index = buckets[pair * 2] ?? 0;
    const from = lowestOfBucket(index, magnitude) / trendScale;
    const to = from + widthOfBucket(index, magnitude) / trendScale;
    return { from, to, count: buckets[pair * 2 + 1] ?? 0 };
  });
}

/**
 * Returns the number of values above a limit, in ms. A bucket that contains the limit counts in proportion.
 */
export function countAbove(ranges: readonly BucketRange[], limit: number): number {
  return ranges.reduce((sum, { from, to, count }) => {
    if (to <= limit) return sum;
    return sum + (from >= limit ? count : (count * (to - limit)) / (to - from));
  }, 0);
}
