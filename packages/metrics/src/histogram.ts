import { once } from "@bearhug/sdk/internal";
import { constructorFromBucketSize } from "hdr-histogram-js/dist/JsHistogramFactory.js";

import { PagedCounts, SparseCounts, type HistogramBuckets } from "./bucket-counts.ts";
import { encodeHistogram, type HistogramPrecision } from "./histogram-encoding.ts";

/** The package's main module would load its logs, its compression and its WebAssembly, too. */
const histogramClass = once(() => constructorFromBucketSize(32));
type Int32Histogram = InstanceType<ReturnType<typeof histogramClass>>;

/** One minute in microseconds: the range that an encoded histogram says at least. */
const leastHighestValue = 60_000_000;

export type { HistogramBuckets } from "./bucket-counts.ts";
export type { HistogramPrecision } from "./histogram-encoding.ts";

/** HdrHistogram's arithmetic of buckets, shared by all histograms of a precision: nothing is counted in these. */
const scales: Readonly<Record<HistogramPrecision, () => Int32Histogram>> = {
  2: once(() => new (histogramClass())(1, 2, 2)),
  3: once(() => new (histogramClass())(1, 2, 3)),
};

/** Magnitudes of half a bucket's sub-buckets, by digits: 2^7 and 2^10 of them. */
export const halfMagnitudes: Readonly<Record<HistogramPrecision, number>> = { 2: 7, 3: 10 };
/** Values up to here have an index by integer arithmetic: 35 minutes, in microseconds. */
const largestInteger = 2 ** 31 - 1;

/** Samples that a histogram counts as one value: those from `lowest` to `highest`, both whole units. */
export interface CountedRange {
  readonly lowest: number;
  readonly highest: number;
  readonly count: number;
}

/** A drained histogram with fewer different buckets than this becomes small again. */
const fewBuckets = 64;
/** Finding a bucket among pairs takes longer than in a page: past so many samples between two drains, it counts in pages. */
const manyRecords = 512;

/**
 * Counts of non-negative integers in logarithmic buckets (HdrHistogram). Values are whole units chosen by the
 * caller (microseconds, for durations); both ends of a transfer must use the same precision. Takes memory by the number
 * of different buckets, not by their range: a run may have thousands of series with a few samples each.
 */
export class Histogram {
  readonly precision: HistogramPrecision;
  readonly #scale: Int32Histogram;
  readonly #halfMagnitude: number;
  #counts: SparseCounts | PagedCounts = new SparseCounts();
  /** Samples since the last drain. */
  #records = 0;

  constructor(precision: HistogramPrecision) {
    this.precision = precision;
    this.#scale = scales[precision]();
    this.#halfMagnitude = halfMagnitudes[precision];
  }

  /** `value` must be a non-negative safe integer: the caller guards the door. */
  record(value: number): void {
    if (++this.#records === manyRecords) this.#becomePaged();
    this.#add(this.#indexOf(value), 1);
  }

  /** All that was recorded since the last drain; the histogram is empty afterwards. */
  drain(): HistogramBuckets {
    const buckets = this.buckets();
    this.#records = 0;
    if (this.#counts instanceof PagedCounts && buckets.length >= fewBuckets * 2) this.#counts.clear();
    else this.#counts = new SparseCounts();
    return buckets;
  }

  buckets(): HistogramBuckets {
    return this.#counts.buckets();
  }

  /** Buckets of another precision are counted at the value that they stand for. */
  add(buckets: HistogramBuckets, precision: HistogramPrecision = this.precision): void {
    this.#addAll(buckets, precision, 1);
  }

  /** Takes out what was added before. */
  subtract(buckets: HistogramBuckets, precision: HistogramPrecision = this.precision): void {
    this.#addAll(buckets, precision, -1);
  }

  /** The highest value equivalent to the `rank`-th smallest recorded one; ranks count from 1. */
  valueAtRank(rank: number): number {
    const buckets = this.buckets();
    let seen = 0;
    for (let at = 0; at < buckets.length; at += 2) {
      seen += buckets[at + 1] ?? 0;
      if (seen >= rank)
        return this.#scale.highestEquivalentValue(this.#scale.valueFromIndex(buckets[at] ?? 0));
    }
    return 0;
  }

  /** The ranges with samples, in ascending order. */
  ranges(): CountedRange[] {
    const ranges: CountedRange[] = [];
    const buckets = this.buckets();
    for (let at = 0; at < buckets.length; at += 2) {
      const lowest = this.#scale.valueFromIndex(buckets[at] ?? 0);
      ranges.push({
        lowest,
        highest: this.#scale.highestEquivalentValue(lowest),
        count: buckets[at + 1] ?? 0,
      });
    }
    return ranges;
  }

  /** The number of values at or below one, as exactly as the buckets tell. */
  countUpTo(value: number): number {
    const last = this.#indexOf(value);
    const buckets = this.buckets();
    let count = 0;
    for (let at = 0; at < buckets.length && (buckets[at] ?? 0) <= last; at += 2)
      count += buckets[at + 1] ?? 0;
    return count;
  }

  /** HdrHistogram's compressed V2 encoding in base64, readable by the Java and C libraries. */
  encode(): string {
    return encodeHistogram(this.buckets(), this.precision, this.#highestTrackable());
  }

  /** The size of the array of counts that HdrHistogram would have for these samples. */
  arraySize(): { readonly buckets: number; readonly subBuckets: number } {
    const subBuckets = 2 ** (this.#halfMagnitude + 1);
    let buckets = 1;
    for (let covered = subBuckets; covered <= this.#highestTrackable(); covered *= 2) buckets++;
    return { buckets, subBuckets };
  }

  #highestTrackable(): number {
    const highest = this.#scale.highestEquivalentValue(
      this.#scale.valueFromIndex(this.buckets().at(-2) ?? 0),
    );
    return Math.max(highest, leastHighestValue);
  }

  #addAll(buckets: HistogramBuckets, precision: HistogramPrecision, sign: 1 | -1): void {
    const own = precision === this.precision ? buckets : this.#converted(buckets, precision);
    if (this.#counts.addAll(own, sign)) return;
    this.#becomePaged();
    this.#counts.addAll(own, sign);
  }

  /** The same samples in this histogram's buckets. */
  #converted(buckets: HistogramBuckets, precision: HistogramPrecision): HistogramBuckets {
    const scale = scales[precision]();
    const own = new Uint32Array(buckets.length);
    let end = 0;
    for (let at = 0; at < buckets.length; at += 2) {
      const index = this.#indexOf(scale.valueFromIndex(buckets[at] ?? 0));
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

  #add(index: number, count: number): void {
    if (this.#counts.add(index, count)) return;
    this.#becomePaged();
    this.#counts.add(index, count);
  }

  #becomePaged(): void {
    if (this.#counts instanceof SparseCounts) this.#counts = PagedCounts.of(this.#counts.buckets());
  }

  /** HdrHistogram's index of a value. Its library works it out with logarithms and powers, for values of any size. */
  #indexOf(value: number): number {
    if (value > largestInteger) return this.#scale.countsArrayIndex(value);
    const magnitude = this.#halfMagnitude;
    const octave = Math.max(0, 31 - Math.clz32(value) - magnitude);
    return (octave << magnitude) + (value >>> octave);
  }
}
