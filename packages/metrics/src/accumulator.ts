import type { MetricType } from "@bearhug/sdk";

import type { BucketLayout } from "./histogram.ts";
import { Trend, type TrendDelta } from "./trend.ts";

/** The samples of one metric in one series. */
export type Accumulator = Counter | Gauge | Rate | Trend;

/** The samples since the last drain: plain data that can be sent to other threads and merged. */
export type MetricDelta = CounterDelta | GaugeDelta | RateDelta | TrendDelta;

/** `layout` is that of a trend's buckets. */
export function createAccumulator(
  type: MetricType,
  precision: 2 | 3,
  layout: BucketLayout = "pairs",
): Accumulator {
  switch (type) {
    case "counter":
      return new Counter();
    case "gauge":
      return new Gauge();
    case "rate":
      return new Rate();
    case "trend":
      return new Trend(precision, layout);
  }
}

export function isOfType<Type extends MetricType>(
  accumulator: Accumulator,
  type: Type,
): accumulator is Extract<Accumulator, { type: Type }> {
  return accumulator.type === type;
}

/** Returns the accumulator if it is there and has this type. */
export function ofType<Type extends MetricType>(
  accumulator: Accumulator | undefined,
  type: Type,
): Extract<Accumulator, { type: Type }> | undefined {
  return accumulator !== undefined && isOfType(accumulator, type) ? accumulator : undefined;
}

/** Adds a delta to an accumulator of the same type; false when the types differ. */
export function mergeDelta(accumulator: Accumulator, delta: MetricDelta): boolean {
  if (accumulator.type === "counter" && delta.type === "counter") accumulator.merge(delta);
  else if (accumulator.type === "gauge" && delta.type === "gauge") accumulator.merge(delta);
  else if (accumulator.type === "rate" && delta.type === "rate") accumulator.merge(delta);
  else if (accumulator.type === "trend" && delta.type === "trend") accumulator.merge(delta);
  else return false;
  return true;
}

export function accumulatorFor(delta: MetricDelta, layout: BucketLayout = "pairs"): Accumulator {
  return createAccumulator(delta.type, delta.type === "trend" ? delta.precision : 3, layout);
}

/** The sum of at least this many deltas counts in pages. */
const many = 16;

/** Returns the layout that suits the sum of so many deltas. */
export function layoutOfSum(deltas: number): BucketLayout {
  return deltas < many ? "pairs" : "pages";
}

/**
 * Returns the sum of deltas; undefined if there are none.
 * @throws {TypeError} if their types differ
 */
export function sumDeltas(deltas: readonly MetricDelta[]): Accumulator | undefined {
  const [first] = deltas;
  if (first === undefined) return undefined;
  const sum = accumulatorFor(first, layoutOfSum(deltas.length));
  for (const delta of deltas)
    if (!mergeDelta(sum, delta)) throw new TypeError(`a ${delta.type} cannot be added to a ${sum.type}`);
  return sum;
}

/**
 * Adds a delta to the accumulator of its name, which it creates if missing.
 * @throws {TypeError} if their types differ
 */
export function addTo(
  metrics: Map<string, Accumulator>,
  name: string,
  delta: MetricDelta,
  layout: BucketLayout = "pairs",
): void {
  let accumulator = metrics.get(name);
  if (accumulator === undefined) {
    accumulator = accumulatorFor(delta, layout);
    metrics.set(name, accumulator);
  }
  if (!mergeDelta(accumulator, delta))
    throw new TypeError(`${name} is a ${accumulator.type} here and a ${delta.type} there`);
}

/** Returns the contents as a delta, so that stored series can be merged under other filters. */
export function deltaOf(accumulator: Accumulator): MetricDelta {
  switch (accumulator.type) {
    case "counter":
      return { type: "counter", total: accumulator.total, samples: accumulator.samples };
    case "gauge": {
      const { value, min, max, sum, samples } = accumulator;
      return { type: "gauge", value, min, max, sum, samples };
    }
    case "rate":
      return { type: "rate", trues: accumulator.trues, samples: accumulator.samples };
    case "trend":
      return accumulator.toDelta();
  }
}

/** The sum of all added amounts. */
export class Counter {
  readonly type = "counter";
  total = 0;
  /** The number of additions. */
  samples = 0;

  add(amount: number): void {
    this.total += amount;
    this.samples++;
  }

  drain(): CounterDelta | null {
    if (this.samples === 0) return null;
    const delta: CounterDelta = { type: "counter", total: this.total, samples: this.samples };
    this.total = 0;
    this.samples = 0;
    return delta;
  }

  merge(delta: CounterDelta): void {
    this.total += delta.total;
    this.samples += delta.samples;
  }
}

interface CounterDelta {
  readonly type: "counter";
  readonly total: number;
  readonly samples: number;
}

/** The last value, with the lowest and the highest. */
export class Gauge {
  readonly type = "gauge";
  value = 0;
  min: number = Number.POSITIVE_INFINITY;
  max: number = Number.NEGATIVE_INFINITY;
  /** The sum of all values, for their average. */
  sum = 0;
  samples = 0;

  add(value: number): void {
    this.value = value;
    if (value < this.min) this.min = value;
    if (value > this.max) this.max = value;
    this.sum += value;
    this.samples++;
  }

  drain(): GaugeDelta | null {
    if (this.samples === 0) return null;
    const delta: GaugeDelta = {
      type: "gauge",
      value: this.value,
      min: this.min,
      max: this.max,
      sum: this.sum,
      samples: this.samples,
    };
    this.min = Number.POSITIVE_INFINITY;
    this.max = Number.NEGATIVE_INFINITY;
    this.sum = 0;
    this.samples = 0;
    return delta;
  }

  merge(delta: GaugeDelta): void {
    this.value = delta.value;
    this.min = Math.min(this.min, delta.min);
    this.max = Math.max(this.max, delta.max);
    this.sum += delta.sum;
    this.samples += delta.samples;
  }
}

interface GaugeDelta {
  readonly type: "gauge";
  readonly value: number;
  readonly min: number;
  readonly max: number;
  readonly sum: number;
  readonly samples: number;
}

/** The share of trues among the added values. */
export class Rate {
  readonly type = "rate";
  trues = 0;
  samples = 0;

  add(value: boolean): void {
    if (value) this.trues++;
    this.samples++;
  }

  /** Turns a value that was added as false into true, even if it was drained since. */
  correct(): void {
    this.trues++;
  }

  /** Adds a share of a quantity, such as time: `trues` of `samples`, both whole numbers. */
  addShare(trues: number, samples: number): void {
    this.trues += trues;
    this.samples += samples;
  }

  drain(): RateDelta | null {
    if (this.samples === 0 && this.trues === 0) return null;
    const delta: RateDelta = { type: "rate", trues: this.trues, samples: this.samples };
    this.trues = 0;
    this.samples = 0;
    return delta;
  }

  merge(delta: RateDelta): void {
    this.trues += delta.trues;
    this.samples += delta.samples;
  }
}

interface RateDelta {
  readonly type: "rate";
  readonly trues: number;
  readonly samples: number;
}

/** Returns a counter's total as a rate. */
export function perSecond(total: number, durationMs: number): number {
  return durationMs > 0 ? total / (durationMs / 1000) : 0;
}
