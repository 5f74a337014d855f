import type { MetricDelta } from "@bearhug/metrics/accumulator";
import type { HistogramBuckets } from "@bearhug/metrics/histogram";

/** The types of metrics; a recording has their index. */
const kinds = ["counter", "gauge", "rate", "trend"] as const satisfies readonly MetricDelta["type"][];

/**
 * Writes a delta as a row of numbers: its type, its values, and a trend's buckets as differences of indexes.
 */
export function toNumbers(delta: MetricDelta): number[] {
  const kind = kinds.indexOf(delta.type);
  switch (delta.type) {
    case "counter":
      return [kind, delta.total, delta.samples];
    case "gauge":
      return [kind, delta.value, delta.min, delta.max, delta.samples, delta.sum];
    case "rate":
      return [kind, delta.trues, delta.samples];
    case "trend": {
      const { precision, count, zeros, sum, min, max, censored, buckets } = delta;
      const cutOff = [censored?.count ?? 0, censored?.least ?? 0];
      const numbers = [kind, precision, count, zeros, sum, min, max, ...cutOff];
      pushSteps(numbers, buckets);
      return numbers;
    }
  }
}

/** Reads a delta from its numbers; null if they are invalid. */
export function fromNumbers(numbers: readonly number[]): MetricDelta | null {
  const [kind = -1, first = 0, second = 0, third = 0, fourth = 0, ...rest] = numbers;
  const hasLength = (length: number): boolean => numbers.length === length;
  const type: MetricDelta["type"] | undefined = kinds[kind];
  switch (type) {
    case "counter":
      return hasLength(3) ? { type: "counter", total: first, samples: second } : null;
    case "gauge":
      // Recordings of earlier releases lack the sum, which only monitored gauges show.
      if (hasLength(5)) rest.push(first * fourth);
      else if (!hasLength(6)) return null;
      return { type: "gauge", value: first, min: second, max: third, samples: fourth, sum: rest[0] ?? 0 };
    case "rate":
      return hasLength(3) ? { type: "rate", trues: first, samples: second } : null;
    case "trend": {
      const [min = 0, max = 0, cutOff = 0, least = 0, ...steps] = rest;
      const buckets = fromSteps(steps);
      if (numbers.length < 9 || buckets === null || (first !== 2 && first !== 3)) return null;
      const censored = cutOff === 0 ? null : { count: cutOff, least };
      const counts = { count: second, zeros: third, sum: fourth };
      return { type: "trend", precision: first, ...counts, min, max, censored, buckets };
    }
    case undefined:
      return null;
  }
}

/**
 * Appends [index, count, …] as [difference to the previous index, count, …]: small numbers, which take few
 * bytes.
 */
function pushSteps(numbers: number[], buckets: HistogramBuckets): void {
  let before = 0;
  for (let at = 0; at < buckets.length; at += 2) {
    const index = buckets[at] ?? 0;
    numbers.push(index - before, buckets[at + 1] ?? 0);
    before = index;
  }
}

/** The limit of bucket indexes, which no histogram reaches. */
const bucketsEnd = 2 ** 20;

function fromSteps(steps: readonly number[]): HistogramBuckets | null {
  if (steps.length % 2 !== 0) return null;
  const buckets = new Uint32Array(steps.length);
  let index = 0;
  for (let position = 0; position < steps.length; position += 2) {
    index += steps[position] ?? 0;
    const count = steps[position + 1] ?? 0;
    if (!isIndex(index, bucketsEnd) || !isIndex(count, 2 ** 32)) return null;
    buckets[position] = index;
    buckets[position + 1] = count;
  }
  return buckets;
}

function isIndex(value: number, end: number): boolean {
  return Number.isInteger(value) && value >= 0 && value < end;
}
