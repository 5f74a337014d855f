import {
  aggregations,
  operators,
  percentileOf,
  type Aggregation,
  type AggregationOf,
  type ThresholdCondition,
} from "./threshold-language.ts";
import type { ValidatedThreshold } from "./read-threshold.ts";
import { type Accumulator, type Counter, type Gauge, perSecond, type Rate } from "../accumulator.ts";
import { trendScale, type Trend } from "../trend.ts";

/** The evaluation of one threshold. */
export interface Evaluation {
  readonly passed: boolean;
  /** In the unit of the judged value; null without samples. */
  readonly actual: number | null;
  readonly samples: number;
  /** The number of samples that were cut off, if they make `actual` only a lower bound; otherwise 0. */
  readonly censoredSamples: number;
}

/** Evaluates a threshold on all samples that its key selects. Without samples it fails, unless `allowEmpty` is set. */
export function evaluateThreshold(
  { condition, allowEmpty }: Pick<ValidatedThreshold, "condition" | "allowEmpty">,
  selected: Accumulator | undefined,
  durationMs: number,
): Evaluation {
  return selected === undefined || sampleCount(selected) === 0
    ? { passed: allowEmpty, actual: null, samples: 0, censoredSamples: 0 }
    : evaluate(selected, condition, durationMs);
}

/** Evaluates a condition on samples. Without a value it fails. */
export function evaluate(
  selected: Accumulator,
  condition: ThresholdCondition,
  durationMs: number,
): Evaluation {
  const actual = aggregate(selected, condition.aggregation, durationMs);
  const censoredSamples = actual === null ? 0 : censoredIn(selected, condition.aggregation, actual);
  const passed = actual !== null && holds(actual, condition, censoredSamples > 0);
  return { passed, actual, samples: sampleCount(selected), censoredSamples };
}

/**
 * Returns the number of samples that were cut off, if they make the aggregation only a
 * lower bound; otherwise 0.
 */
export function censoredIn(selected: Accumulator, { kind }: Aggregation, actual: number): number {
  if (selected.type !== "trend" || selected.censored === null) return 0;
  const { boundedBy } = aggregations[kind];
  const isBounded = boundedBy === "any" || (boundedBy === "reached" && selected.isLowerBound(actual));
  return isBounded ? selected.censored.count : 0;
}

export function sampleCount(accumulator: Accumulator): number {
  return accumulator.type === "trend" ? accumulator.count : accumulator.samples;
}

interface AggregationInput {
  /** Null for other aggregations than a percentile. */
  readonly percentile: number | null;
  readonly durationMs: number;
}

type Aggregate<Samples> = (samples: Samples, input: AggregationInput) => number | null;
type Aggregates<Kind extends Aggregation["kind"], Samples> = Readonly<Record<Kind, Aggregate<Samples>>>;

const ofCounter: Aggregates<AggregationOf<"counter">, Counter> = {
  count: ({ total }) => total,
  rate: ({ total }, { durationMs }) => perSecond(total, durationMs),
};

const ofGauge: Aggregates<AggregationOf<"gauge" | "monitored gauge">, Gauge> = {
  value: ({ value }) => value,
  avg: ({ sum, samples }) => sum / samples,
  min: ({ min }) => min,
  max: ({ max }) => max,
};

const ofRate: Aggregates<AggregationOf<"rate">, Rate> = {
  // A window may contain the correction of a sample from before the window.
  rate: ({ trues, samples }) => Math.min(1, trues / samples),
};

const atPercentile: Aggregate<Trend> = (trend, { percentile }) =>
  percentile === null ? null : trend.percentile(percentile);

const ofTrend: Aggregates<AggregationOf<"trend">, Trend> = {
  avg: ({ sum, count }) => sum / count / trendScale,
  min: ({ min }) => min / trendScale,
  max: ({ max }) => max / trendScale,
  med: atPercentile,
  percentile: atPercentile,
  count: ({ count }) => count,
};

/** Computes the left side of an expression; null for an aggregation that the metric's type lacks. */
export function aggregate(samples: Accumulator, aggregation: Aggregation, durationMs: number): number | null {
  const input = { percentile: percentileOf(aggregation), durationMs };
  switch (samples.type) {
    case "counter":
      return find(ofCounter, aggregation)?.(samples, input) ?? null;
    case "gauge":
      return find(ofGauge, aggregation)?.(samples, input) ?? null;
    case "rate":
      return find(ofRate, aggregation)?.(samples, input) ?? null;
    case "trend":
      return find(ofTrend, aggregation)?.(samples, input) ?? null;
  }
}

function find<Samples>(
  aggregates: Partial<Aggregates<Aggregation["kind"], Samples>>,
  { kind }: Aggregation,
): Aggregate<Samples> | undefined {
  return aggregates[kind];
}

/**
 * True if the condition certainly holds: a value that may truly be greater is never known to be below
 * or equal to a bound.
 */
export function holds(
  actual: number,
  { operator, bound }: Pick<ThresholdCondition, "operator" | "bound">,
  isLowerBound: boolean,
): boolean {
  const { holds: holdsAt, holdsFrom } = operators[operator];
  return isLowerBound ? holdsFrom(actual, bound) : holdsAt(actual, bound);
}
