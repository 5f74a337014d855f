import type {
  Aggregation,
  ThresholdExpression,
  ThresholdOperator,
  ValidatedThreshold,
} from "@bearhug/sdk/internal";

import type { Accumulator } from "../metrics/accumulator.ts";
import type { Gauge } from "../metrics/gauge.ts";
import { perSecond } from "../metrics/summarize.ts";
import { trendScale } from "../metrics/trend.ts";

/** The evaluation of one threshold. */
export interface Evaluation {
  readonly passed: boolean;
  /** In the unit of what is judged; null where no sample arrived. */
  readonly actual: number | null;
  readonly samples: number;
  /** The number of samples that were cut off, if they make `actual` only a lower bound; else 0. */
  readonly censoredSamples: number;
}

/** Evaluates a threshold on all samples that its key selects. Without samples it fails, unless `allowEmpty` is set. */
export function evaluateThreshold(
  { expression, allowEmpty }: Pick<ValidatedThreshold, "expression" | "allowEmpty">,
  selected: Accumulator | undefined,
  durationMs: number,
): Evaluation {
  const samples = selected === undefined ? 0 : sampleCount(selected);
  if (selected === undefined || samples === 0)
    return { passed: allowEmpty, actual: null, samples: 0, censoredSamples: 0 };
  const actual = aggregate(selected, expression.aggregation, durationMs);
  const censoredSamples = actual === null ? 0 : censoredIn(selected, expression.aggregation, actual);
  return {
    passed: actual !== null && holds(actual, expression, censoredSamples > 0),
    actual,
    samples,
    censoredSamples,
  };
}

/** Returns the number of samples that were cut off, if they make the aggregation only a lower bound; else 0. */
export function censoredIn(selected: Accumulator, { kind }: Aggregation, actual: number): number {
  if (selected.type !== "trend" || selected.censored === null || kind === "count") return 0;
  return kind === "avg" || selected.isLowerBound(actual) ? selected.censored.count : 0;
}

export function sampleCount(accumulator: Accumulator): number {
  return accumulator.type === "trend" ? accumulator.count : accumulator.samples;
}

/** Computes the left side of an expression; null for an aggregation that the metric's type lacks. */
export function aggregate(
  accumulator: Accumulator,
  aggregation: Aggregation,
  durationMs: number,
): number | null {
  switch (accumulator.type) {
    case "counter":
      return aggregation.kind === "rate" ? perSecond(accumulator.total, durationMs) : accumulator.total;
    case "gauge":
      return aggregateGauge(accumulator, aggregation);
    case "rate":
      // A window may hold the correction of a sample that lies before it.
      return Math.min(1, accumulator.trues / accumulator.samples);
    case "trend":
      switch (aggregation.kind) {
        case "avg":
          return accumulator.sum / accumulator.count / trendScale;
        case "min":
          return accumulator.min / trendScale;
        case "max":
          return accumulator.max / trendScale;
        case "med":
          return accumulator.percentile(50);
        case "percentile":
          return accumulator.percentile(aggregation.percentile);
        case "count":
          return accumulator.count;
        case "rate":
        case "value":
          return null;
      }
  }
}

function aggregateGauge({ value, min, max, sum, samples }: Gauge, { kind }: Aggregation): number {
  if (kind === "avg") return sum / samples;
  if (kind === "min") return min;
  return kind === "max" ? max : value;
}

/** True if the expression was shown to hold: what may truly be greater is below no bound, and equal to nothing. */
export function holds(
  actual: number,
  { operator, bound }: Pick<ThresholdExpression, "operator" | "bound">,
  isLowerBound: boolean,
): boolean {
  if (isLowerBound) return holdsAtLeast(actual, operator, bound);
  switch (operator) {
    case "<":
      return actual < bound;
    case "<=":
      return actual <= bound;
    case ">":
      return actual > bound;
    case ">=":
      return actual >= bound;
    case "==":
      return actual === bound;
    case "!=":
      return actual !== bound;
  }
}

function holdsAtLeast(least: number, operator: ThresholdOperator, bound: number): boolean {
  switch (operator) {
    case ">":
    case "!=":
      return least > bound;
    case ">=":
      return least >= bound;
    case "<":
    case "<=":
    case "==":
      return false;
  }
}
