import { BearhugError } from "@bearhug/sdk";
import type { Operator } from "@bearhug/sdk/internal";
import type { MetricUnit } from "@bearhug/sdk/result";
import { oneOf } from "@bearhug/text/closest-name";
import { quote } from "@bearhug/text/printable";
import { respellUnits } from "@bearhug/text/respell-units";
import { TextReader } from "@bearhug/text/text-reader";

import { type Accumulator, type Counter, type Gauge, perSecond, type Rate } from "../accumulator.ts";
import { namesOf, recordOf } from "../record-of.ts";
import { trendScale, type Trend } from "../trend.ts";

/*
 * The language of thresholds, `aggregation operator value[unit]`, in four tables. All code that reads, checks, evaluates,
 * compares or displays thresholds derives from them. `ThresholdByMetricType` has the same rules for the compiler, which prints
 * them.
 */

/** The facts that an aggregation needs besides the samples. */
interface AggregationInput {
  /** Null for other aggregations than a percentile. */
  readonly percentile: number | null;
  /** The time in which the samples were taken. */
  readonly durationMs: number;
}

/**
 * The aggregations of each type of metric, in the order of messages, and how each is computed. A monitored
 * gauge has one reading per second.
 */
const aggregationsByType = {
  counter: {
    count: ({ total }: Counter): number => total,
    rate: ({ total }: Counter, { durationMs }: AggregationInput): number => perSecond(total, durationMs),
  },
  gauge: {
    value: ({ value }: Gauge): number => value,
  },
  "monitored gauge": {
    avg: ({ sum, samples }: Gauge): number => sum / samples,
    min: ({ min }: Gauge): number => min,
    max: ({ max }: Gauge): number => max,
    value: ({ value }: Gauge): number => value,
  },
  rate: {
    // A window may contain the correction of a sample from before the window.
    rate: ({ trues, samples }: Rate): number => Math.min(1, trues / samples),
  },
  trend: {
    min: ({ min }: Trend): number => min / trendScale,
    avg: ({ sum, count }: Trend): number => sum / count / trendScale,
    med: (trend: Trend, input: AggregationInput): number | null => atPercentile(trend, input),
    max: ({ max }: Trend): number => max / trendScale,
    percentile: (trend: Trend, input: AggregationInput): number | null => atPercentile(trend, input),
    count: ({ count }: Trend): number => count,
  },
};

function atPercentile(trend: Trend, { percentile }: AggregationInput): number | null {
  return percentile === null ? null : trend.percentile(percentile);
}

/** The types of metrics that thresholds distinguish. */
export type JudgedType = keyof typeof aggregationsByType;

/** The aggregations of a type of metric. */
export type AggregationOf<Type extends JudgedType> = {
  [One in Type]: keyof (typeof aggregationsByType)[One] & string;
}[Type];

/**
 * A figure that results contain for every trend: any aggregation except percentiles and the count, which has
 * no unit.
 */
export type TrendFigure = Exclude<AggregationOf<"trend">, "percentile" | "count">;

/** The figures of a trend, in the order of tables. */
export const trendFigures: readonly TrendFigure[] = namesOf(aggregationsByType.trend).filter(
  (name) => name !== "percentile" && name !== "count",
);

/** Makes a value for each figure of a trend. */
export function eachTrendFigure<Made>(make: (figure: TrendFigure) => Made): Record<TrendFigure, Made> {
  return recordOf(trendFigures, make);
}

interface AggregationTraits {
  /** How its uncertainty is estimated; null if samples do not show it. */
  readonly estimate: "percentile" | "mean" | "ratio" | null;
  /**
   * The censored samples that make it a lower bound: any of them, none, or only those that the figure
   * reaches.
   */
  readonly boundedBy: "any" | "none" | "reached";
}

/** The aggregations, in the order of messages. */
export const aggregations: Readonly<Record<AggregationOf<JudgedType>, AggregationTraits>> = {
  count: { estimate: "ratio", boundedBy: "none" },
  rate: { estimate: "ratio", boundedBy: "none" },
  value: { estimate: null, boundedBy: "none" },
  avg: { estimate: "mean", boundedBy: "any" },
  min: { estimate: null, boundedBy: "reached" },
  max: { estimate: null, boundedBy: "reached" },
  med: { estimate: "percentile", boundedBy: "reached" },
  percentile: { estimate: "percentile", boundedBy: "reached" },
};

/** The operator of a threshold. `===` is read as `==`. */
export type ThresholdOperator = Exclude<Operator, "===">;

interface OperatorTraits {
  /** The side on which the bound limits the value; null for neither. */
  readonly limits: "above" | "below" | null;
  readonly holds: (value: number, bound: number) => boolean;
  /** True if it holds for `least` and for every greater value. */
  readonly holdsFrom: (least: number, bound: number) => boolean;
}

const isLess = (value: number, bound: number): boolean => value < bound;
const isAtMost = (value: number, bound: number): boolean => value <= bound;
const isGreater = (value: number, bound: number): boolean => value > bound;
const isAtLeast = (value: number, bound: number): boolean => value >= bound;
const isEqual = (value: number, bound: number): boolean => value === bound;
const isUnequal = (value: number, bound: number): boolean => value !== bound;
const never = (): boolean => false;

/** The operators, in the order of messages. */
export const operators: Readonly<Record<ThresholdOperator, OperatorTraits>> = {
  "<": { limits: "above", holds: isLess, holdsFrom: never },
  "<=": { limits: "above", holds: isAtMost, holdsFrom: never },
  ">": { limits: "below", holds: isGreater, holdsFrom: isGreater },
  ">=": { limits: "below", holds: isAtLeast, holdsFrom: isAtLeast },
  "==": { limits: null, holds: isEqual, holdsFrom: never },
  "!=": { limits: null, holds: isUnequal, holdsFrom: isGreater },
};

interface UnitTraits {
  readonly of: "time" | "size" | "share" | "number";
  /**
   * The bound is the written value times `times`, divided by `per`: with `times` 0.01, 7 % would be
   * 0.07000000000000001.
   */
  readonly times: number;
  /** @default 1 */
  readonly per?: number;
}

/** The units of bounds, in the order of messages. */
const units = {
  ms: { of: "time", times: 1 },
  s: { of: "time", times: 1000 },
  m: { of: "time", times: 60_000 },
  kB: { of: "size", times: 1e3 },
  MB: { of: "size", times: 1e6 },
  GB: { of: "size", times: 1e9 },
  k: { of: "number", times: 1000 },
  "%": { of: "share", times: 1, per: 100 },
} as const;

/** The unit that a threshold's bound was written with; null for none. */
export type ThresholdUnit = keyof typeof units | null;

/** How samples become the number that a threshold judges. */
export type Aggregation =
  | { readonly kind: Exclude<AggregationOf<JudgedType>, "percentile"> }
  | { readonly kind: "percentile"; readonly percentile: number };

/** The parsed condition of an expression. */
export interface ThresholdCondition {
  readonly aggregation: Aggregation;
  readonly operator: ThresholdOperator;
  /**
   * The bound in the metric's unit: milliseconds for `ms`, `s` and `m`, times 1,000 for `k`, bytes for `kB`,
   * `MB` and `GB`.
   */
  readonly bound: number;
  readonly unit: ThresholdUnit;
}

/** Thrown for a string that is not a threshold expression. */
export class ThresholdSyntaxError extends BearhugError {
  override readonly name = "ThresholdSyntaxError";
  readonly code = "INVALID_THRESHOLD";
  readonly expression: string;
  /** Zero-based index of the first character that could not be read. */
  readonly offset: number;
  /** `suggestion`: the valid expression that the author probably meant; null if there is none. */
  constructor(expression: string, offset: number, expected: string, suggestion: string | null = null) {
    const advice =
      suggestion === null
        ? `expected ${expected} at character ${offset + 1}.`
        : `did you mean ${quote(suggestion)}?`;
    super(`Threshold ${quote(expression)}: ${advice}`);
    this.expression = expression;
    this.offset = offset;
  }
}

type Fail = (expected: string, offset?: number) => never;

const blanks = /\s*/y;
const percentileOpening = /p(?:\(\s*|(?=\d))/y;
const percentileClosing = /\s*\)/y;
const numberPattern = /-?\d+(?:\.\d+)?/y;

export const aggregationNames: readonly AggregationOf<JudgedType>[] = namesOf(aggregations);
export const operatorNames: readonly ThresholdOperator[] = namesOf(operators);
export const unitNames: readonly (keyof typeof units)[] = namesOf(units);

/**
 * Reads an expression such as `"p(95)<300ms"`, `"rate<1%"` or `"count >= 2k"`; `p95` is short for `p(95)`.
 * Blanks around the operator and at both ends are allowed. `checkThreshold` checks that it fits a metric.
 * `%` is a hundredth, unless the metric's own unit is `%`.
 * @throws {ThresholdSyntaxError} for anything else.
 */
export function parseCondition(expression: string, metricUnit: MetricUnit = null): ThresholdCondition {
  const reader = new TextReader(expression);
  const fail: Fail = (expected, offset = reader.offset) => {
    throw new ThresholdSyntaxError(expression, offset, expected, suggestExpression(expression));
  };
  reader.read(blanks);
  const aggregation = readAggregation(reader, fail);
  reader.read(blanks);
  const operator =
    reader.readOneOf(longestFirst<Operator>([...operatorNames, "==="])) ??
    fail(`an operator (${operatorNames.join(", ")})`);
  reader.read(blanks);
  const value = Number(reader.read(numberPattern) ?? fail("a number"));
  const unit = reader.readOneOf(longestFirst(unitNames));
  reader.read(blanks);
  if (!reader.isAtEnd) fail(unit === null ? `a unit (${unitNames.join(", ")}) or the end` : "the end");
  return {
    aggregation,
    operator: operator === "===" ? "==" : operator,
    bound: unit === null || unit === metricUnit ? value : inBaseUnit(value, units[unit]),
    unit,
  };
}

function readAggregation(reader: TextReader, fail: Fail): Aggregation {
  const kind = reader.readOneOf(longestFirst(aggregationNames.filter((name) => name !== "percentile")));
  if (kind !== null) return { kind };
  const opening =
    reader.read(percentileOpening) ??
    fail(`an aggregation (${oneOf(aggregationNames.map((name) => spell(name, "95")))})`);
  const { offset } = reader;
  const percentile = Number(reader.read(numberPattern) ?? NaN);
  if (!(percentile >= 0 && percentile <= 100)) fail("a percentile from 0 to 100", offset);
  if (opening !== "p" && reader.read(percentileClosing) === null) fail('")"');
  return { kind: "percentile", percentile };
}

/**
 * Returns the text with its units respelled (`300 msec` becomes `300ms`); null if nothing changes, or if the
 * result is not an expression either.
 */
function suggestExpression(expression: string): string | null {
  const respelled = respellUnits(expression);
  if (respelled === expression) return null;
  try {
    parseCondition(respelled);
    return respelled;
  } catch {
    return null;
  }
}

function inBaseUnit(value: number, { times, per = 1 }: UnitTraits): number {
  return (value * times) / per;
}

function spell(kind: Aggregation["kind"], percentile: string): string {
  return kind === "percentile" ? `p(${percentile})` : kind;
}

/** Writes an aggregation as thresholds and results do: `"avg"`, `"p(95)"`. */
export function aggregationName(aggregation: Aggregation): string {
  return spell(aggregation.kind, "percentile" in aggregation ? String(aggregation.percentile) : "");
}

/** Returns the percentile of an aggregation, 50 for `med`; null for other aggregations. */
export function percentileOf(aggregation: Aggregation): number | null {
  if (aggregation.kind === "percentile") return aggregation.percentile;
  return aggregation.kind === "med" ? 50 : null;
}

/** The metric that an expression judges. */
export interface JudgedMetric {
  readonly name: string;
  readonly type: JudgedType;
  readonly unit: MetricUnit;
}

/**
 * Returns the unit of an aggregation: a trend's count is a plain number, and a counter's rate is per second.
 */
export function aggregatedUnit(
  { type, unit }: Pick<JudgedMetric, "type" | "unit">,
  kind: Aggregation["kind"],
): MetricUnit {
  if (countsSamples(type, kind)) return null;
  if (type !== "counter" || kind !== "rate") return unit;
  if (unit === null) return "/s";
  return unit === "bytes" ? "bytes/s" : unit;
}

function countsSamples(type: JudgedType, kind: Aggregation["kind"]): boolean {
  return type === "trend" && kind === "count";
}

const unitWords = {
  ms: "a time",
  bytes: "measured in bytes",
  "bytes/s": "measured in bytes per second",
  "/s": "a number per second",
  "%": "in percent",
} as const;

/** An expression as it was written, with its parsed form. */
export interface ReadExpression {
  readonly expression: string;
  readonly condition: ThresholdCondition;
}

/**
 * Checks that a metric has the aggregation that an expression names, and that the bound has the right unit.
 * Returns null, or one sentence that describes the problem and how to fix it.
 */
export function checkThreshold(
  { name, type, unit: metricUnit }: JudgedMetric,
  { expression, condition: { aggregation, unit, bound } }: ReadExpression,
): string | null {
  const fitting = namesOf<Aggregation["kind"]>(aggregationsByType[type]);
  if (!fitting.includes(aggregation.kind)) {
    const names = fitting.map((kind) => spell(kind, "N"));
    return `${name} is a ${type} and has no ${aggregationName(aggregation)}: use ${oneOf(names)}.`;
  }
  if (type === "rate" && unit !== null && unit !== "%")
    return `"${unit}" does not fit ${name}, which is a rate: write its value as a fraction (0.01) or in percent (1%).`;
  if (type === "rate")
    return bound >= 0 && bound <= 1
      ? null
      : `${name} is a rate and lies between 0 and 1, so ${quote(expression)} always or never holds: write 1% or 0.01.`;
  if (metricUnit === "%")
    return unit === "%"
      ? null
      : `${name} is in percent: write its bound with "%", such as ${aggregationName(aggregation)}<80%.`;
  if (unit === null) return null;
  const ofSamples = countsSamples(type, aggregation.kind)
    ? `"${unit}" does not fit the count of ${name}, which is a plain number.`
    : null;
  const inWords = metricUnit === null ? "a plain number" : unitWords[metricUnit];
  switch (units[unit].of) {
    case "number":
      return null;
    case "share":
      return type === "monitored gauge"
        ? `"%" does not fit ${name}, which is ${inWords}.`
        : `"%" does not fit ${name}, which is a ${type}: only rates are written in percent.`;
    case "size":
      if (metricUnit === "bytes" || metricUnit === "bytes/s") return ofSamples;
      return ofSamples ?? `"${unit}" does not fit ${name}, which is ${inWords}.`;
    case "time":
      if (metricUnit === "ms") return ofSamples;
      if (metricUnit === "bytes" || metricUnit === "bytes/s")
        return `"${unit}" does not fit ${name}, which is ${inWords}: leave the unit out, or use ${oneOf(sizeUnits)}.`;
      return `"${unit}" does not fit ${name}, which is not a time: leave the unit out${
        type === "trend" || type === "gauge" ? ", or declare it with time: true" : ""
      }.`;
  }
}

const sizeUnits = unitNames.filter((name) => units[name].of === "size");

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
  { condition, allowEmpty }: { readonly condition: ThresholdCondition; readonly allowEmpty: boolean },
  selected: Accumulator | undefined,
  durationMs: number,
): Evaluation {
  if (selected === undefined || sampleCount(selected) === 0)
    return { passed: allowEmpty, actual: null, samples: 0, censoredSamples: 0 };
  return evaluateCondition(condition, selected, durationMs);
}

/** Evaluates the condition of a threshold. It fails if the metric's type lacks its aggregation. */
export function evaluateCondition(
  condition: ThresholdCondition,
  selected: Accumulator,
  durationMs: number,
): Evaluation {
  const actual = aggregate(selected, condition.aggregation, durationMs);
  const censoredSamples = actual === null ? 0 : censoredIn(selected, condition.aggregation, actual);
  return {
    passed: actual !== null && holds(actual, condition, censoredSamples > 0),
    actual,
    samples: sampleCount(selected),
    censoredSamples,
  };
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

/** Computes the left side of an expression; null for an aggregation that the metric's type lacks. */
export function aggregate(samples: Accumulator, aggregation: Aggregation, durationMs: number): number | null {
  const input = { percentile: percentileOf(aggregation), durationMs };
  switch (samples.type) {
    case "counter":
      return find(aggregationsByType.counter, aggregation)?.(samples, input) ?? null;
    case "gauge":
      return find(aggregationsByType["monitored gauge"], aggregation)?.(samples, input) ?? null;
    case "rate":
      return find(aggregationsByType.rate, aggregation)?.(samples, input) ?? null;
    case "trend":
      return find(aggregationsByType.trend, aggregation)?.(samples, input) ?? null;
  }
}

type Compute<Samples> = (samples: Samples, input: AggregationInput) => number | null;

function find<Samples>(
  computations: Partial<Readonly<Record<Aggregation["kind"], Compute<Samples>>>>,
  { kind }: Aggregation,
): Compute<Samples> | undefined {
  return computations[kind];
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

/** Sorts names so that `ms` is matched before `m`. */
function longestFirst<Name extends string>(names: readonly Name[]): Name[] {
  return names.toSorted((one, other) => other.length - one.length);
}
