import { copySeparately, type CopyBuckets } from "./bucket-counts.ts";
import {
  Histogram,
  type BucketLayout,
  type CountedRange,
  type HistogramBuckets,
  type HistogramPrecision,
} from "./histogram.ts";

/** The factor from public values to the integers in histograms: from milliseconds to microseconds. */
export const trendScale = 1000;

const noBuckets: HistogramBuckets = new Uint32Array(0);

/** Samples that are only lower bounds: they were cut off before they ended. */
export interface Censored {
  readonly count: number;
  /**
   * The least of these values, in integer units. Samples below it have the same rank as if
   * nothing had been cut off.
   */
  readonly least: number;
}

/**
 * A distribution. Count, sum, least and greatest value are exact; the rest comes from a histogram, which is
 * created with the first value above zero, because most phases of most requests (connecting, TLS) are zero.
 */
export class Trend {
  readonly type = "trend";
  readonly precision: HistogramPrecision;
  count = 0;
  zeros = 0;
  sum = 0;
  /** Valid from the first sample on. Never infinite: V8 keeps small whole numbers in the object itself. */
  #least = 0;
  #greatest = 0;
  censored: Censored | null = null;
  readonly #layout: BucketLayout;
  #histogram: Histogram | null = null;

  constructor(precision: HistogramPrecision, layout: BucketLayout = "pairs") {
    this.precision = precision;
    this.#layout = layout;
  }

  /** The least sample, in integer units; infinite without any. */
  get min(): number {
    return this.count === 0 ? Number.POSITIVE_INFINITY : this.#least;
  }

  /** The greatest sample, in integer units; negatively infinite without any. */
  get max(): number {
    return this.count === 0 ? Number.NEGATIVE_INFINITY : this.#greatest;
  }

  /** `value` in public units (ms), finite and not negative: callers check that. */
  add(value: number): void {
    const units = Math.round(value * trendScale);
    this.#widen(units, units);
    this.count++;
    this.sum += units;
    if (units === 0) this.zeros++;
    else (this.#histogram ??= new Histogram(this.precision, this.#layout)).record(units);
  }

  /** The same as `add(0)`. */
  addZero(): void {
    this.#widen(0, 0);
    this.count++;
    this.zeros++;
  }

  /** Adds a sample that was cut off at `value`: the true value is as much or more. */
  addLowerBound(value: number): void {
    this.add(value);
    this.censored = joinCensored(this.censored, { count: 1, least: Math.round(value * trendScale) });
  }

  /** Adds a measured value, or one that was cut off. */
  addMeasured(value: number, isLowerBound: boolean): void {
    if (isLowerBound) this.addLowerBound(value);
    else this.add(value);
  }

  /**
   * True if a value of this trend, in public units, may truly be greater, because it reaches into
   * the censored samples.
   */
  isLowerBound(value: number): boolean {
    return this.censored !== null && Math.round(value * trendScale) >= this.censored.least;
  }

  /**
   * The non-empty buckets of the values above zero, valid until the next change. With them, a trend can be
   * merged as its own delta.
   */
  get buckets(): HistogramBuckets {
    return this.#histogram?.buckets() ?? noBuckets;
  }

  drain(copy: CopyBuckets = copySeparately): TrendDelta | null {
    if (this.count === 0) return null;
    const delta: TrendDelta = {
      type: "trend",
      precision: this.precision,
      count: this.count,
      zeros: this.zeros,
      sum: this.sum,
      min: this.min,
      max: this.max,
      censored: this.censored,
      buckets: this.#histogram?.drain(copy) ?? noBuckets,
    };
    this.count = 0;
    this.zeros = 0;
    this.sum = 0;
    this.censored = null;
    return delta;
  }

  merge(delta: TrendDelta): void {
    if (delta.count === 0) return;
    this.#widen(delta.min, delta.max);
    this.count += delta.count;
    this.zeros += delta.zeros;
    this.sum += delta.sum;
    this.censored = joinCensored(this.censored, delta.censored);
    if (delta.buckets.length > 0)
      (this.#histogram ??= new Histogram(this.precision, this.#layout)).add(delta.buckets, delta.precision);
  }

  /**
   * Removes a delta that was merged before. Extremes cannot be subtracted, so they are computed
   * again from what remains.
   */
  unmerge(delta: TrendDelta, remaining: readonly TrendDelta[]): void {
    this.count -= delta.count;
    this.zeros -= delta.zeros;
    this.sum -= delta.sum;
    this.#histogram?.subtract(delta.buckets, delta.precision);
    if (this.count > 0) {
      this.#least = remaining.reduce((least, { min }) => Math.min(least, min), Number.POSITIVE_INFINITY);
      this.#greatest = remaining.reduce((most, { max }) => Math.max(most, max), Number.NEGATIVE_INFINITY);
    }
    this.censored = remaining.reduce<Censored | null>(
      (joined, { censored }) => joinCensored(joined, censored),
      null,
    );
  }

  /** Notes samples from `least` to `greatest`, before they are counted. */
  #widen(least: number, greatest: number): void {
    if (this.count === 0 || least < this.#least) this.#least = least;
    if (this.count === 0 || greatest > this.#greatest) this.#greatest = greatest;
  }

  /** Returns the contents for `merge` of another trend, without removing them. */
  toDelta(): TrendDelta {
    const { precision, count, zeros, sum, min, max, censored } = this;
    const buckets = copySeparately(this.buckets);
    return { type: "trend", precision, count, zeros, sum, min, max, censored, buckets };
  }

  /**
   * Returns the nearest-rank percentile in public units: the least value with at least p %
   * of all at or below it.
   */
  percentile(percentile: number): number {
    const rank = Math.max(1, Math.ceil((percentile / 100) * this.count - Number.EPSILON * this.count));
    return this.valueAtRank(rank) / trendScale;
  }

  /** Returns the `rank`-th smallest value, counted from 1, in integer units. */
  valueAtRank(rank: number): number {
    if (rank <= this.zeros || this.#histogram === null) return 0;
    const units = this.#histogram.valueAtRank(rank - this.zeros);
    return Math.min(Math.max(units, this.min), this.max);
  }

  /** Returns the number of samples at or below a value in public units. */
  countUpTo(value: number): number {
    return this.zeros + (this.#histogram?.countUpTo(Math.round(value * trendScale)) ?? 0);
  }

  /** Returns the buckets with samples in ascending order, in integer units. */
  ranges(): CountedRange[] {
    const zeros = this.zeros === 0 ? [] : [{ lowest: 0, highest: 0, count: this.zeros }];
    return [...zeros, ...(this.#histogram?.ranges() ?? [])];
  }

  /**
   * Returns HdrHistogram V2 of all values in thousandths of the public unit; null if nothing was recorded.
   */
  encode(): string | null {
    if (this.count === 0) return null;
    if (this.zeros === 0 && this.#histogram !== null) return this.#histogram.encode();
    const whole = new Histogram(this.precision);
    whole.add(this.buckets);
    whole.add(Uint32Array.of(0, this.zeros));
    return whole.encode();
  }
}

function joinCensored(one: Censored | null, other: Censored | null): Censored | null {
  if (one === null || other === null) return one ?? other;
  return { count: one.count + other.count, least: Math.min(one.least, other.least) };
}

export interface TrendDelta {
  readonly type: "trend";
  readonly precision: HistogramPrecision;
  readonly count: number;
  readonly zeros: number;
  readonly sum: number;
  readonly min: number;
  readonly max: number;
  readonly censored: Censored | null;
  readonly buckets: HistogramBuckets;
}
