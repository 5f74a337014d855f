import {
  copySeparately,
  PagedCounts,
  SparseCounts,
  type HistogramBuckets,
  type CopyBuckets,
} from "./bucket-counts.ts";
import { highestOfBucket, indexOfValue, lowestOfBucket, magnitudeOf } from "./bucket-scale.ts";
import { encodeHistogram, type HistogramPrecision } from "./histogram-encoding.ts";

/** One minute in microseconds: the least range that an encoded histogram declares. */
const minHighestValue = 60_000_000;

export type { HistogramBuckets } from "./bucket-counts.ts";
export type { HistogramPrecision } from "./histogram-encoding.ts";

/** Samples that a histogram counts as one value: those from `lowest` to `highest`, both whole units. */
export interface CountedRange {
  readonly lowest: number;
  readonly highest: number;
  readonly count: number;
}

/** Buffer for converted buckets; reused each time. */
const converted = new Uint32Array(1024);

/** A drained histogram with fewer different buckets than this counts in pairs again. */
const fewBuckets = 64;
/**
 * Finding a bucket among pairs takes longer than in a page: after this many samples since the last drain, a
 * histogram changes to pages.
 */
const manyRecords = 512;

/**
 * How a histogram counts at first. Pairs take the least memory for few samples. Pages suit the sum of many
 * histograms: each one that is added to pairs moves all those after its first bucket.
 */
export type BucketLayout = "pairs" | "pages";

/**
 * Counts of non-negative integers in logarithmic buckets (HdrHistogram). Values are whole units chosen
 * by the caller (microseconds, for durations); both ends of a transfer must use the same precision.
 * Memory depends on the number of different buckets, not on their range: a run may have thousands of
 * series with a few samples each.
 */
export class Histogram {
  readonly precision: HistogramPrecision;
  readonly #magnitude: number;
  #counts: SparseCounts | PagedCounts;
  /** Samples since the last drain. */
  #records = 0;

  constructor(precision: HistogramPrecision, layout: BucketLayout = "pairs") {
    this.precision = precision;
    this.#counts = layout === "pairs" ? new SparseCounts() : new PagedCounts();
    this.#magnitude = magnitudeOf(precision);
  }

  /** `value` must be a non-negative safe integer: callers check that. */
  record(value: number): void {
    if (++this.#records === manyRecords) this.#becomePaged();
    const index = indexOfValue(value, this.#magnitude);
    if (this.#counts.record(index)) return;
    this.#becomePaged();
    this.#counts.record(index);
  }

  /** Returns everything that was recorded since the last drain; the histogram is empty afterwards. */
  drain(copy: CopyBuckets = copySeparately): HistogramBuckets {
    const buckets = this.#counts.drain(copy);
    this.#records = 0;
    const isFew = buckets.length < fewBuckets * 2;
    if (isFew && this.#counts instanceof PagedCounts) this.#counts = new SparseCounts();
    return buckets;
  }

  /** Returns the non-empty buckets, valid until the next change. */
  buckets(): HistogramBuckets {
    return this.#counts.buckets();
  }

  /** Adds buckets. Those of another precision count at their lowest value. */
  add(buckets: HistogramBuckets, precision: HistogramPrecision = this.precision): void {
    this.#addAll(buckets, precision, 1);
  }

  /** Removes buckets that were added before. */
  subtract(buckets: HistogramBuckets, precision: HistogramPrecision = this.precision): void {
    this.#addAll(buckets, precision, -1);
  }

  /** Returns the highest value equivalent to the `rank`-th smallest recorded one; ranks count from 1. */
  valueAtRank(rank: number): number {
    const index = this.#counts.indexAtRank(rank);
    return index === -1 ? 0 : highestOfBucket(index, this.#magnitude);
  }

  /** Returns the ranges with samples, in ascending order. */
  ranges(): CountedRange[] {
    const ranges: CountedRange[] = [];
    const buckets = this.buckets();
    for (let at = 0; at < buckets.length; at += 2) {
      const index = buckets[at] ?? 0;
      ranges.push({
        lowest: lowestOfBucket(index, this.#magnitude),
        highest: highestOfBucket(index, this.#magnitude),
        count: buckets[at + 1] ?? 0,
      });
    }
    return ranges;
  }

  /** Returns the number of values at or below `value`, as exactly as the buckets allow. */
  countUpTo(value: number): number {
    return this.#counts.countUpTo(indexOfValue(value, this.#magnitude));
  }

  /** Returns HdrHistogram's compressed V2 encoding in base64, readable by the Java and C libraries. */
  encode(): string {
    return encodeHistogram(this.buckets(), this.precision, this.#highestTrackable());
  }

  /** Returns the size of the array of counts that HdrHistogram would have for these samples. */
  arraySize(): { readonly buckets: number; readonly subBuckets: number } {
    const subBuckets = 2 ** (this.#magnitude + 1);
    let buckets = 1;
    for (let covered = subBuckets; covered <= this.#highestTrackable(); covered *= 2) buckets++;
    return { buckets, subBuckets };
  }

  #highestTrackable(): number {
    const index = Math.max(0, this.#counts.lastIndex());
    return Math.max(highestOfBucket(index, this.#magnitude), minHighestValue);
  }

  #addAll(buckets: HistogramBuckets, precision: HistogramPrecision, sign: 1 | -1): void {
    const own = precision === this.precision ? buckets : this.#converted(buckets, precision);
    if (this.#counts.addAll(own, sign)) return;
    this.#becomePaged();
    this.#counts.addAll(own, sign);
  }

  /** Converts buckets to those of this histogram, valid until the next call for any histogram. */
  #converted(buckets: HistogramBuckets, precision: HistogramPrecision): HistogramBuckets {
    const magnitude = magnitudeOf(precision);
    const own = buckets.length <= converted.length ? converted : new Uint32Array(buckets.length);
    let end = 0;
    for (let at = 0; at < buckets.length; at += 2) {
      const index = indexOfValue(lowestOfBucket(buckets[at] ?? 0, magnitude), this.#magnitude);
      const count = buckets[at + 1] ?? 0;
      if (end > 0 && own[end - 2] === index) own[end - 1] = (own[end - 1] ?? 0) + count;
      else {
        own[end] = index;
        own[end + 1] = count;
        end += 2;
      }
    }
    return own.subarray(0, end);
  }

  #becomePaged(): void {
    if (this.#counts instanceof SparseCounts) this.#counts = PagedCounts.of(this.#counts.buckets());
  }
}
