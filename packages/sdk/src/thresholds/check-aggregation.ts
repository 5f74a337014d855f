import type { MetricType, MetricUnit } from "../metrics/built-in-metrics.ts";
import { quote } from "../text/printable.ts";
import type { Aggregation, ThresholdExpression, ThresholdUnit } from "./threshold-expression.ts";

/** The metric that an expression is to judge. */
export interface AggregatedMetric {
  readonly name: string;
  readonly type: MetricType;
  readonly unit: MetricUnit;
}

const aggregationsOf: Readonly<Record<MetricType, readonly Aggregation["kind"][]>> = {
  counter: ["count", "rate"],
  gauge: ["value"],
  rate: ["rate"],
  trend: ["avg", "min", "med", "max", "percentile", "count"],
};

/** An aggregation as thresholds and results write it: `"avg"`, `"p(95)"`. */
export function aggregationName(aggregation: Aggregation): string {
  return aggregation.kind === "percentile" ? `p(${aggregation.percentile})` : aggregation.kind;
}

/**
 * Checks that a metric has the aggregation that an expression names, and that its value has the right unit.
 * Returns null, or one sentence that says what is wrong and how to fix it.
 */
export function checkAggregation(metric: AggregatedMetric, expression: ThresholdExpression): string | null {
  const { aggregation, unit, bound } = expression;
  const fitting = aggregationsOf[metric.type];
  if (!fitting.includes(aggregation.kind)) {
    const names = fitting.map((kind) => (kind === "percentile" ? "p(N)" : kind));
    return `${metric.name} is a ${metric.type} and has no ${aggregationName(aggregation)}: use ${oneOf(names)}.`;
  }
  const isShare = metric.type === "rate";
  if (unit === "%" && !isShare) {
    return `"%" does not fit ${metric.name}, which is a ${metric.type}: only rates are written in percent.`;
  }
  if (isShare && (unit === "k" || isTimeUnit(unit))) {
    return `"${unit}" does not fit ${metric.name}, which is a rate: write its value as a fraction (0.01) or in percent (1%).`;
  }
  if (isShare && (bound < 0 || bound > 1)) {
    return `${metric.name} is a rate and lies between 0 and 1, so ${quote(expression.text)} always or never holds: write 1% or 0.01.`;
  }
  if (!isTimeUnit(unit)) return null;
  if (metric.unit !== "ms") return timeUnitSentence(metric, unit);
  return aggregation.kind === "count"
    ? `"${unit}" does not fit the count of ${metric.name}, which is a plain number.`
    : null;
}

function isTimeUnit(unit: ThresholdUnit): unit is "ms" | "s" | "m" {
  return unit === "ms" || unit === "s" || unit === "m";
}

function timeUnitSentence({ name, type, unit }: AggregatedMetric, written: string): string {
  if (unit === "bytes")
    return `"${written}" does not fit ${name}, which is measured in bytes: leave the unit out, or use k.`;
  const declarable = type === "trend" || type === "gauge";
  const remedy = declarable ? "leave the unit out, or declare it with time: true" : "leave the unit out";
  return `"${written}" does not fit ${name}, which is not a time: ${remedy}.`;
}

function oneOf(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} or ${names.at(-1) ?? ""}`;
}
