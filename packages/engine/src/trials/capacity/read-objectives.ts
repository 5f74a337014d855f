import { isDeepStrictEqual } from "node:util";

import { readGaugeName } from "@bearhug/metrics/gauge-name";
import { parseMetricSelector } from "@bearhug/metrics/metric-selector";
import { splitThreshold } from "@bearhug/metrics/thresholds/read-threshold";
import {
  aggregations,
  checkThreshold,
  operators,
  parseCondition,
  percentileOf,
  type ThresholdCondition,
} from "@bearhug/metrics/thresholds/threshold-language";
import { gaugeFilterProblem } from "@bearhug/plan/definition/declared-thresholds";
import { httpMetrics } from "@bearhug/sdk/internal";
import { errorMessage } from "@bearhug/text/caught-error";

import type { MonitoredMetric, Objective, ObjectiveMetric } from "./objective.ts";

const metrics: readonly ObjectiveMetric[] = [
  "http_req_response_time",
  "http_req_duration",
  "http_req_failed",
];

/** Added if no objective judges failures: otherwise requests that fail at once would count as fast ones. */
const defaultFailures = "http_req_failed: rate<1%";

/** The objectives of a search. */
export interface ReadObjectives {
  readonly objectives: readonly Objective[];
  /** The number of objectives, at the end of the list, that were added by default. */
  readonly added: number;
}

/** Reads every `--slo`; adds a sentence to `problems` for each that cannot be judged. */
export function parseObjectives(texts: readonly string[], problems: string[]): ReadObjectives {
  if (texts.length === 0) {
    problems.push(`--slo: give at least one, such as --slo "http_req_response_time: p(99)<200ms".`);
  }
  const read = texts.flatMap((text) => readObjective(text, problems) ?? []);
  const own = read.filter((objective, index) => {
    const isFirst = read.findIndex((other) => isSame(other, objective)) === index;
    if (!isFirst)
      problems.push(`--slo "${objective.text}": the same objective is given twice; leave one out.`);
    return isFirst;
  });
  const isAdded = !own.some(({ metric }) => metric === "http_req_failed");
  const added = isAdded ? [readObjective(defaultFailures, problems)].filter((one) => one !== null) : [];
  return { objectives: [...own, ...added], added: added.length };
}

/** True for equal objectives, however they are written: p(99)<1s and p(99)<1000ms. */
function isSame(left: Objective, right: Objective): boolean {
  return isDeepStrictEqual({ ...left, text: "" }, { ...right, text: "" });
}

function readObjective(text: string, problems: string[]): Objective | null {
  const read = objectiveOf(text);
  if (typeof read !== "string") return read;
  problems.push(`--slo "${text}": ${read}`);
  return null;
}

/** Returns the objective that a text states, or why it cannot be judged. */
function objectiveOf(text: string): Objective | string {
  const split = splitThreshold(text);
  if (split === null)
    return 'must be written "metric: expression", such as "http_req_response_time: p(99)<200ms".';
  try {
    const { metric, filters } = parseMetricSelector(split.metric);
    if (isMonitored(metric))
      return filters.length > 0
        ? `${gaugeFilterProblem(metric)}.`
        : ofGauge(text.trim(), metric, split.expression);
    if (!isObjectiveMetric(metric))
      return `capacity judges ${metrics.join(", ")} and gauges of monitors only.`;
    if (filters.length > 0) return "capacity judges all requests; leave the tags out.";
    return ofRequests(text.trim(), metric, split.expression);
  } catch (error) {
    return errorMessage(error);
  }
}

function isObjectiveMetric(name: string): name is ObjectiveMetric {
  return metrics.some((metric) => metric === name);
}

function isMonitored(name: string): name is MonitoredMetric {
  return readGaugeName(name) !== undefined;
}

/** Reads an objective on a gauge. Samples can only prove its mean. */
function ofGauge(text: string, metric: MonitoredMetric, expression: string): Objective | string {
  const gaugeUnit = readGaugeName(metric)?.unit ?? null;
  const condition = parseCondition(expression, gaugeUnit);
  const judged = { name: metric, type: "monitored gauge", unit: gaugeUnit } as const;
  const misfit = checkThreshold(judged, { expression, condition });
  if (misfit !== null) return misfit;
  const { aggregation, bound } = condition;
  if (aggregations[aggregation.kind].estimate !== "mean")
    return `capacity judges the avg of a gauge; write it in place of ${aggregation.kind}.`;
  return boundProblem(condition) ?? { text, metric, judges: "mean", bound, limitMs: null, gaugeUnit };
}

function ofRequests(text: string, metric: ObjectiveMetric, expression: string): Objective | string {
  const condition = parseCondition(expression);
  const judged = { name: metric, ...httpMetrics[metric] };
  const problem = checkThreshold(judged, { expression, condition }) ?? boundProblem(condition);
  if (problem !== null) return problem;
  const { aggregation, bound } = condition;
  if (metric === "http_req_failed") return { text, metric, judges: "share", bound, limitMs: null };
  if (aggregations[aggregation.kind].estimate === "mean")
    return { text, metric, judges: "mean", bound, limitMs: null };
  const percentile = percentileOf(aggregation);
  if (percentile === null || percentile <= 0 || percentile >= 100)
    return "capacity judges p(N) with N between 0 and 100, med and avg; p(99.9) in place of max.";
  return { text, metric, judges: "share", bound: 1 - percentile / 100, limitMs: bound };
}

/** Explains why a search cannot judge a bound; null if it can. */
function boundProblem({ operator, bound }: ThresholdCondition): string | null {
  if (operators[operator].limits !== "above")
    return `an objective must be an upper bound; write < in place of ${operator}.`;
  return bound > 0
    ? null
    : "a failure rate of exactly 0 cannot be proven by sampling. Allow a small rate, such as rate<0.1%.";
}
