import type { MetricType, MetricUnit } from "../metrics/built-in-metrics.ts";
import { quote } from "../text/printable.ts";
import type { Aggregation, ThresholdExpression, ThresholdUnit } from "./threshold-expression.ts";

/** The metric that an expression is to judge. */
export interface AggregatedMetric {
  readonly name: string;
  readonly type: MetricType;
  readonly unit: MetricUnit;
  /** A gauge that a monitor reads once a second. */
  readonly isMonitored?: boolean;
}

const aggregationsOf: Readonly<Record<MetricType, readonly Aggregation["kind"][]>> = {
  counter: ["count", "rate"],
  gauge: ["value"],
  rate: ["rate"],
  trend: ["avg", "min", "med", "max", "percentile", "count"],
};

const ofMonitoredGauges: readonly Aggregation["kind"][] = ["avg", "min", "max", "value"];

/** An aggregation as thresholds and results write it: `"avg"`, `"p(95)"`. */
export function aggregationName(aggregation: Aggregation): string {
  return aggregation.kind === "percentile" ? `p(${aggregation.percentile})` : aggregation.kind;
}

/** The unit of the number that a threshold judges: a trend's count is a plain number, and a counter's rate is per second. */
export function aggregatedUnit(
  { type, unit }: Pick<AggregatedMetric, "type" | "unit">,
  kind: Aggregation["kind"],
): MetricUnit {
  if (type === "trend" && kind === "count") return null;
  if (type !== "counter" || kind !== "rate") return unit;
  if (unit === null) return "/s";
  return unit === "bytes" ? "bytes/s" : unit;
}

/**
 * Checks that a metric has the aggregation that an expression names, and that its value has the right unit.
 * Returns null, or one sentence that says what is wrong and how to fix it.
 */
export function checkAggregation(metric: AggregatedMetric, expression: ThresholdExpression): string | null {
  const { aggregation, unit, bound } = expression;
  const isMonitored = metric.isMonitored === true;
  const fitting = isMonitored ? ofMonitoredGauges : aggregationsOf[metric.type];
  if (!fitting.includes(aggregation.kind)) {
    const names = fitting.map((kind) => (kind === "percentile" ? "p(N)" : kind));
    const type = isMonitored ? "monitored gauge" : metric.type;
    return `${metric.name} is a ${type} and has no ${aggregationName(aggregation)}: use ${oneOf(names)}.`;
  }
  if (isMonitored) return checkMonitored(metric, expression);
  const isShare = metric.type === "rate";
  if (unit === "%" && !isShare) {
    return `"%" does not fit ${metric.name}, which is a ${metric.type}: only rates are written in percent.`;
  }
  if (isShare && unit !== null && unit !== "%") {
    return `"${unit}" does not fit ${metric.name}, which is a rate: write its value as a fraction (0.01) or in percent (1%).`;
  }
  if (isShare && (bound < 0 || bound > 1)) {
    return `${metric.name} is a rate and lies between 0 and 1, so ${quote(expression.text)} always or never holds: write 1% or 0.01.`;
  }
  if (isSizeUnit(unit)) return sizeProblem(metric, aggregation, unit);
  if (!isTimeUnit(unit)) return null;
  if (metric.unit !== "ms") return timeUnitSentence(metric, unit);
  return aggregation.kind === "count"
    ? `"${unit}" does not fit the count of ${metric.name}, which is a plain number.`
    : null;
}

/** A monitored gauge is in percent, in bytes, or a plain number. */
function checkMonitored(metric: AggregatedMetric, { unit, aggregation }: ThresholdExpression): string | null {
  if (metric.unit === "%") {
    return unit === "%"
      ? null
      : `${metric.name} is in percent: write its bound with "%", such as ${aggregationName(aggregation)}<80%.`;
  }
  if (unit === "%") return `"%" does not fit ${metric.name}, which is ${inWords(metric)}.`;
  return isSizeUnit(unit)
    ? sizeProblem(metric, aggregation, unit)
    : isTimeUnit(unit)
      ? timeUnitSentence(metric, unit)
      : null;
}

function isSizeUnit(unit: ThresholdUnit): unit is "kB" | "MB" | "GB" {
  return unit === "kB" || unit === "MB" || unit === "GB";
}

function sizeProblem(metric: AggregatedMetric, { kind }: Aggregation, unit: string): string | null {
  const isCount = metric.type === "trend" && kind === "count";
  if (!isCount && (metric.unit === "bytes" || metric.unit === "bytes/s")) return null;
  return isCount
    ? `"${unit}" does not fit the count of ${metric.name}, which is a plain number.`
    : `"${unit}" does not fit ${metric.name}, which is ${inWords(metric)}.`;
}

const unitWords = {
  ms: "a time",
  bytes: "measured in bytes",
  "bytes/s": "measured in bytes per second",
  "/s": "a number per second",
  "%": "in percent",
} as const;

function inWords({ unit }: AggregatedMetric): string {
  return unit === null ? "a plain number" : unitWords[unit];
}

function isTimeUnit(unit: ThresholdUnit): unit is "ms" | "s" | "m" {
  return unit === "ms" || unit === "s" || unit === "m";
}

function timeUnitSentence(
  { name, type, unit, isMonitored = false }: AggregatedMetric,
  written: string,
): string {
  if (unit === "bytes" || unit === "bytes/s")
    return `"${written}" does not fit ${name}, which is ${unitWords[unit]}: leave the unit out, or use kB, MB or GB.`;
  const declarable = !isMonitored && (type === "trend" || type === "gauge");
  const remedy = declarable ? "leave the unit out, or declare it with time: true" : "leave the unit out";
  return `"${written}" does not fit ${name}, which is not a time: ${remedy}.`;
}

function oneOf(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} or ${names.at(-1) ?? ""}`;
}
