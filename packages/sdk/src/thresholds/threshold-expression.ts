import { BearhugError } from "../bearhug-error.ts";
import { TextReader } from "../text/text-reader.ts";
import { quote } from "../text/printable.ts";
import type { MetricUnit } from "../metrics/built-in-metrics.ts";
import { respellUnits } from "../duration/duration.ts";

/** How samples become the number that a threshold judges. */
export type Aggregation =
  | { readonly kind: "count" | "rate" | "value" | "avg" | "min" | "max" | "med" }
  | { readonly kind: "percentile"; readonly percentile: number };

/** How a threshold compares. */
export type ThresholdOperator = "<" | "<=" | ">" | ">=" | "==" | "!=";

/** The unit that a threshold's value was written with; null for none. */
export type ThresholdUnit = (typeof units)[number] | null;

/** A threshold's expression, read. */
export interface ThresholdExpression {
  /** The expression as it was written. */
  readonly text: string;
  readonly aggregation: Aggregation;
  /** `===` is read as `==`. */
  readonly operator: ThresholdOperator;
  /** The value in the metric's unit: milliseconds for `ms`, `s` and `m`, times 1,000 for `k`, bytes for `kB`, `MB` and `GB`. */
  readonly bound: number;
  readonly unit: ThresholdUnit;
}

/** Thrown by {@link parseThreshold} for a text that is not an expression. */
export class ThresholdSyntaxError extends BearhugError {
  override readonly name = "ThresholdSyntaxError";
  readonly code = "INVALID_THRESHOLD";
  readonly expression: string;
  /** Zero-based index of the first character that could not be read. */
  readonly offset: number;
  /** `meant`: what was probably meant, where that is an expression. */
  constructor(expression: string, offset: number, expected: string, meant: string | null = null) {
    const advice =
      meant === null ? `expected ${expected} at character ${offset + 1}.` : `did you mean ${quote(meant)}?`;
    super(`Threshold ${quote(expression)}: ${advice}`);
    this.expression = expression;
    this.offset = offset;
  }
}

const simpleAggregations = ["count", "rate", "value", "avg", "min", "max", "med"] as const;
const operators = ["<=", ">=", "===", "==", "!=", "<", ">"] as const;
const units = ["ms", "s", "m", "kB", "MB", "GB", "k", "%"] as const;

const blanks = /\s*/y;
const percentileOpening = /p(?:\(\s*|(?=\d))/y;
const percentileClosing = /\s*\)/y;
const numberPattern = /-?\d+(?:\.\d+)?/y;

/**
 * Reads `aggregation operator value[unit]`, such as `"p(95)<300ms"`, `"rate<1%"` or `"count >= 2k"`.
 * Aggregations: `count`, `rate`, `value`, `avg`, `min`, `max`, `med`, `p(N)` and its short form `pN`.
 * Blanks may stand around the operator and at both ends. Whether the metric has the aggregation is for `checkAggregation`.
 * `%` is a hundredth, unless the metric's own unit is `%`.
 * @throws {ThresholdSyntaxError} for anything else.
 */
export function parseThreshold(expression: string, metricUnit: MetricUnit = null): ThresholdExpression {
  const reader = new TextReader(expression);
  const fail = (expected: string, offset = reader.offset): never => {
    throw new ThresholdSyntaxError(expression, offset, expected, meantBy(expression));
  };
  reader.read(blanks);
  const aggregation = readAggregation(reader, fail);
  reader.read(blanks);
  const operator = reader.readOneOf(operators) ?? fail("an operator (<, <=, >, >=, ==, !=)");
  reader.read(blanks);
  const value = reader.read(numberPattern) ?? fail("a number");
  const unit = reader.readOneOf(units);
  reader.read(blanks);
  if (!reader.isAtEnd) fail(unit === null ? `a unit (${units.join(", ")}) or the end` : "the end");
  return {
    text: expression,
    aggregation,
    operator: operator === "===" ? "==" : operator,
    bound: unit === "%" && metricUnit === "%" ? Number(value) : toBaseUnit(Number(value), unit),
    unit,
  };
}

/** The same with its units spelled as they are read; null where that is no expression either. */
function meantBy(expression: string): string | null {
  const respelled = respellUnits(expression);
  if (respelled === expression) return null;
  try {
    return parseThreshold(respelled).text;
  } catch {
    return null;
  }
}

function readAggregation(
  reader: TextReader,
  fail: (expected: string, offset?: number) => never,
): Aggregation {
  const kind = reader.readOneOf(simpleAggregations);
  if (kind !== null) return { kind };
  const opening =
    reader.read(percentileOpening) ??
    fail("an aggregation (count, rate, value, avg, min, max, med or p(95))");
  const { offset } = reader;
  const percentile = Number(reader.read(numberPattern) ?? NaN);
  if (!(percentile >= 0 && percentile <= 100)) fail("a percentile from 0 to 100", offset);
  if (opening !== "p" && reader.read(percentileClosing) === null) fail('")"');
  return { kind: "percentile", percentile };
}

const factors = { ms: 1, s: 1000, m: 60_000, k: 1000, kB: 1e3, MB: 1e6, GB: 1e9 } as const;

/** Dividing, not multiplying by 0.01: 7 × 0.01 is 0.07000000000000001. */
function toBaseUnit(value: number, unit: ThresholdUnit): number {
  if (unit === "%") return value / 100;
  return unit === null ? value : value * factors[unit];
}
