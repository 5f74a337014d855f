import type { TestResult } from "@bearhug/sdk";
import {
  aggregationName,
  aggregations,
  operators,
  type Aggregation,
} from "../thresholds/threshold-language.ts";
import { parseThreshold, type ReadThreshold } from "../thresholds/read-threshold.ts";
import { readGaugeName } from "../gauge-name.ts";
import type { MetricSelector } from "../metric-selector.ts";

/** A figure to compare, and the direction that is worse. */
export interface ChosenFigure {
  /** In the form of a threshold's key. */
  readonly key: string;
  readonly selector: MetricSelector;
  readonly aggregation: Aggregation;
  readonly worse: "higher" | "lower";
}

/** The figures to compare, and the thresholds that cannot be compared. */
export interface ChosenFigures {
  readonly figures: readonly ChosenFigure[];
  /** One sentence for each threshold whose figure has no interval, and one if no time is compared. */
  readonly leftOut: readonly string[];
}

/**
 * Returns the deciding figures: those that the thresholds judge; without one on a time, the median and p95 of
 * requests, too, because a target that became slower may fail no more often. Rates of failures without a threshold
 * decide as well: errors can be faster than responses. `compared` are all results of both sides.
 */
export function chooseFigures(
  { thresholds, metrics }: Pick<TestResult, "thresholds" | "metrics">,
  compared: readonly Pick<TestResult, "metrics">[],
): ChosenFigures {
  const figures = new Map<string, ChosenFigure>();
  const leftOut = new Set<string>();
  for (const { metric, expression } of thresholds) {
    if (isMonitored(metric, metrics)) {
      leftOut.add(`${metric}: ${expression} is not compared: gauges of monitors are shown, not judged.`);
      continue;
    }
    const figure = figureOf(metric, expression);
    if (typeof figure === "string") leftOut.add(`${metric}: ${expression} is not compared: ${figure}.`);
    else figures.set(figureName(figure), figure);
  }
  const own = [...figures.values()];
  const addsTimes = own.length === 0 || (!own.some(isOnSizes) && compared.some(hasTimes));
  const chosen = addsTimes ? [...own, ...defaultTimes] : own;
  const judged = new Set(chosen.map(({ selector }) => selector.metric));
  const failures = failureFigures.filter(
    ({ selector: { metric } }) => !judged.has(metric) && compared.some((one) => hasFigure(one, metric)),
  );
  if (!chosen.some(isOnSizes))
    leftOut.add(
      "no time is compared, because the test has no threshold on one: add one, such as http_req_duration: p(95)<5s.",
    );
  return { figures: [...chosen, ...failures], leftOut: [...leftOut] };
}

function hasTimes({ metrics }: Pick<TestResult, "metrics">): boolean {
  return metrics["http_req_duration"]?.type === "trend";
}

/** True for a figure of the size of samples, such as times. Rates and counts do not describe sizes. */
function isOnSizes({ aggregation: { kind } }: ChosenFigure): boolean {
  return kind !== "rate" && kind !== "count";
}

/** True if a run has the rate. Checks and iterations of which none failed are left out, to save rows of tables. */
function hasFigure({ metrics }: Pick<TestResult, "metrics">, metric: string): boolean {
  const rate = metrics[metric];
  if (rate?.type !== "rate") return false;
  if (metric === "checks") return rate.values.fails > 0;
  return metric === "http_req_failed" || rate.values.passes > 0;
}

/** Returns the name of a figure in reports: `http_req_duration p(95)`. */
export function figureName({ key, aggregation }: Pick<ChosenFigure, "key" | "aggregation">): string {
  return `${key} ${aggregationName(aggregation)}`;
}

function isMonitored(key: string, metrics: TestResult["metrics"]): boolean {
  return readGaugeName(key) !== undefined && (metrics[key] === undefined || metrics[key].type === "gauge");
}

const defaultTimes: readonly ChosenFigure[] = [
  figureFor("http_req_duration", 50),
  figureFor("http_req_duration", 95),
];

const failureFigures: readonly ChosenFigure[] = [
  figureFor("http_req_failed", "rate"),
  { ...figureFor("checks", "rate"), worse: "lower" },
  figureFor("iteration_failed", "rate"),
];

/**
 * Returns further figures, which reports list but which decide nothing: of all requests, and
 * of the busiest names.
 */
export function exploratoryFigures(result: TestResult, chosen: readonly ChosenFigure[]): ChosenFigure[] {
  const names = result.names.map(({ name }) => name).slice(0, maxNames);
  const all = [
    ...[50, 90, 95, 99].map((percentile) => figureFor("http_req_duration", percentile)),
    figureFor("http_req_response_time", 95),
    figureFor("http_req_failed", "rate"),
    ...(names.length < 2 ? [] : names.map((name) => figureFor("http_req_duration", 95, name))),
  ];
  const known = new Set(chosen.map(figureName));
  return all.filter((figure) => !known.has(figureName(figure)));
}

const maxNames = 20;

function figureFor(metric: string, of: number | "rate", name?: string): ChosenFigure {
  const filters = name === undefined ? [] : [{ tag: "name", operator: "equals" as const, value: name }];
  const key = name === undefined ? metric : `${metric}{name:${name}}`;
  const aggregation: Aggregation = of === "rate" ? { kind: of } : { kind: "percentile", percentile: of };
  return { key, selector: { metric, filters }, aggregation, worse: "higher" };
}

/** Returns why instead for a threshold whose figure cannot be resampled, or that has no direction. */
function figureOf(key: string, expression: string): ChosenFigure | string {
  const read = readThreshold(key, expression);
  const limits = read && operators[read.condition.operator].limits;
  if (read !== null && limits === null)
    return `${read.condition.operator} has no direction that is worse; write >= or <=`;
  if (read === null || aggregations[read.condition.aggregation.kind].estimate === null)
    return "it judges no percentile, mean or rate";
  const { selector, condition } = read;
  return {
    key,
    selector,
    aggregation: condition.aggregation,
    worse: limits === "above" ? "higher" : "lower",
  };
}

/** Reads a threshold of a document, which may contain any text in its place; null if it is not a threshold. */
function readThreshold(key: string, expression: string): ReadThreshold | null {
  try {
    return parseThreshold(key, expression);
  } catch {
    return null;
  }
}
