import { readGaugeName } from "@bearhug/metrics/gauge-name";
import type { ValidatedMetric } from "@bearhug/metrics/metric-catalog";
import {
  MetricSelectorSyntaxError,
  parseMetricSelector,
  type MetricSelector,
  type TagFilter,
} from "@bearhug/metrics/metric-selector";
import type { ValidatedThreshold } from "@bearhug/metrics/thresholds/read-threshold";
import {
  checkThreshold,
  parseCondition,
  ThresholdSyntaxError,
  type JudgedMetric,
  type ReadExpression,
} from "@bearhug/metrics/thresholds/threshold-language";
import {
  z,
  builtInMetrics,
  isBuiltInMetric,
  once,
  type Path,
  type ProblemCollector,
} from "@bearhug/sdk/internal";
import { suggestName } from "@bearhug/text/closest-name";
import { showValue } from "@bearhug/text/describe-issue";
import { quote } from "@bearhug/text/printable";
import { durationSchema } from "../validation/duration.ts";
import { optionsObject } from "../validation/option-schemas.ts";

/** The metrics and scenarios that thresholds can refer to. */
export interface ThresholdTargets {
  /** The test's own metrics; undefined for one whose declaration is invalid. */
  readonly metrics: ReadonlyMap<string, ValidatedMetric | undefined>;
  readonly scenarioNames: readonly string[];
}

const optionsSchema = once(() =>
  optionsObject("a threshold", {
    threshold: z.string(),
    abortOnFail: z.boolean().default(false),
    delayAbortEval: durationSchema(0).default(0),
    window: durationSchema(1000)
      .refine((widthMs) => widthMs % 1000 === 0, { error: 'must be whole seconds, such as "10s"' })
      .optional(),
    allowEmpty: z.boolean().default(false),
  }),
);

/**
 * Reads the thresholds of a test, and adds a problem for each that is invalid or refers to something that
 * does not exist.
 */
export function readThresholds(
  value: unknown,
  targets: ThresholdTargets,
  collector: ProblemCollector,
): ValidatedThreshold[] {
  const entries = collector.entriesOf(value, ["thresholds"]) ?? [];
  return entries.flatMap(([metric, list]) => {
    const path = ["thresholds", metric];
    const selector = readSelector(metric, path, targets, collector);
    if (!Array.isArray(list) || list.length === 0) {
      const actual = Array.isArray(list) ? "empty" : showValue(list);
      collector.add(path, `must be an array such as ["p(95)<300ms"], but is ${actual}`);
      return [];
    }
    const judged = selector && findTarget(selector.metric, targets);
    return list.flatMap((item: unknown, index) =>
      readThreshold(item, { metric, selector, judged }, [...path, index], collector),
    );
  });
}

interface Subject {
  /** The key as it was written. */
  readonly metric: string;
  readonly selector: MetricSelector | undefined;
  readonly judged: JudgedMetric | undefined;
}

function readThreshold(
  item: unknown,
  { metric, selector, judged }: Subject,
  path: Path,
  collector: ProblemCollector,
): ValidatedThreshold[] {
  const isText = typeof item === "string";
  if (!isText && (typeof item !== "object" || item === null)) {
    collector.add(path, `must be an expression such as "p(95)<300ms", but is ${showValue(item)}`);
    return [];
  }
  const given = isText ? { threshold: item } : item;
  const options = collector.read(optionsSchema(), given, path);
  const read = readExpression(given, judged, isText ? path : [...path, "threshold"], collector);
  // A threshold that may be empty passes even if its filters select nothing.
  if (selector !== undefined && options?.allowEmpty === false)
    for (const problem of impossibleFilters(selector)) collector.add(path, `: ${problem}`);
  if (read === undefined || selector === undefined || options === undefined) return [];
  return [
    {
      metric,
      ...read,
      selector,
      abortOnFail: options.abortOnFail,
      delayAbortEvalMs: options.delayAbortEval,
      windowMs: options.window ?? null,
      allowEmpty: options.allowEmpty,
    },
  ];
}

/** Reads the expression of a threshold, even if its other options are invalid. */
function readExpression(
  given: object,
  judged: JudgedMetric | undefined,
  path: Path,
  collector: ProblemCollector,
): ReadExpression | undefined {
  const expression: unknown = "threshold" in given ? given.threshold : undefined;
  if (typeof expression !== "string") return undefined;
  try {
    const read = { expression, condition: parseCondition(expression, judged?.unit) };
    const misfit = judged === undefined ? null : checkThreshold(judged, read);
    if (misfit !== null) collector.add(path, `: ${misfit}`);
    return read;
  } catch (error) {
    if (!(error instanceof ThresholdSyntaxError)) throw error;
    collector.add(path, `: ${error.message}`);
    return undefined;
  }
}

/** Reads the metric and filters of a key; undefined if they are invalid. */
function readSelector(
  key: string,
  path: Path,
  { metrics, scenarioNames }: ThresholdTargets,
  collector: ProblemCollector,
): MetricSelector | undefined {
  const selector = parseKey(key, path, collector);
  if (selector === undefined) return undefined;
  const isMonitored = !metrics.has(selector.metric) && readGaugeName(selector.metric) !== undefined;
  if (isMonitored && selector.filters.length > 0) {
    collector.add(path, `: ${gaugeFilterProblem(selector.metric)}`);
  } else if (!isMonitored && !metrics.has(selector.metric) && !isBuiltInMetric(selector.metric)) {
    const known = [...metrics.keys(), ...Object.keys(builtInMetrics)];
    const suggestion = suggestName(selector.metric, known, "declare it under metrics");
    collector.add(path, `: no metric is called ${quote(selector.metric)}${suggestion}`);
  }
  for (const { tag, operator, value } of selector.filters) {
    if (tag !== "scenario" || operator === "matches" || scenarioNames.includes(value)) continue;
    const suggestion = suggestName(
      value,
      scenarioNames,
      `there is ${scenarioNames.map(quote).join(", ") || "none"}`,
    );
    collector.add(path, `: no scenario is called ${quote(value)}${suggestion}`);
  }
  return selector;
}

/** Returns the problem with a filter on a monitored gauge, which has no tags. */
export function gaugeFilterProblem(name: string): string {
  return `${name} is read by a monitor and has no tags: leave the filter out`;
}

/** Tags of requests only, which pages, groups and iterations do not have. */
export const requestTags: readonly string[] = ["name", "method", "status", "protocol", "expected_response"];
const iterationMetrics = new Set([
  "iterations",
  "iteration_duration",
  "iteration_response_time",
  "iteration_failed",
  "dropped_iterations",
  "schedule_lag",
  "vu_wait",
  "vu_time_lost",
]);
const visitMetrics = new Set(["pages", "page_duration", "page_bytes", "group_duration", "checks"]);

/** Describes filters that can never select a sample, each with a correction. */
export function impossibleFilters({ metric, filters }: MetricSelector): string[] {
  return filters.flatMap((filter) => lacksTag(metric, filter.tag) ?? impossibleValue(filter) ?? []);
}

function lacksTag(metric: string, tag: string): string | null {
  const lacking = [
    ...(iterationMetrics.has(metric) ? [...requestTags, "page", "group"] : []),
    ...(visitMetrics.has(metric) ? requestTags : []),
  ];
  if (!lacking.includes(tag)) return null;
  const others = requestTags.includes(tag) ? "requests" : `samples within a ${tag}`;
  return `samples of ${metric} have no tag ${tag}: only ${others} have it.`;
}

function impossibleValue({ tag, operator, value }: TagFilter): string | null {
  if (operator === "matches") return null;
  switch (tag) {
    case "group":
      return value.startsWith("::")
        ? `groups have no :: before the first name, as they do in k6: write {group:${value.slice(2)}}.`
        : null;
    case "method":
      return value === value.toUpperCase()
        ? null
        : `methods are in capitals: write {method:${value.toUpperCase()}}.`;
    case "status":
      return /^\d+$/.test(value) ? null : `a status is a number, such as {status:200}.`;
    case "expected_response":
      return value === "true" || value === "false" ? null : `expected_response is true or false.`;
    default:
      return null;
  }
}

function parseKey(key: string, path: Path, collector: ProblemCollector): MetricSelector | undefined {
  try {
    return parseMetricSelector(key);
  } catch (error) {
    if (!(error instanceof MetricSelectorSyntaxError)) throw error;
    collector.add(path, `: ${error.message}`);
    return undefined;
  }
}

/** Returns the metric of a name; undefined if there is none, or if its declaration is invalid. */
function findTarget(name: string, { metrics }: ThresholdTargets): JudgedMetric | undefined {
  const declared = metrics.get(name);
  const isInvalid = declared === undefined && metrics.has(name) && !isBuiltInMetric(name);
  return isInvalid ? undefined : judgedMetric(name, declared);
}

/**
 * Returns the metric of a name: built in, declared by the test, or a monitor's gauge; undefined if there is
 * none.
 */
export function judgedMetric(name: string, declared: ValidatedMetric | undefined): JudgedMetric | undefined {
  if (isBuiltInMetric(name)) return { name, ...builtInMetrics[name] };
  if (declared !== undefined) return { name, ...declared };
  const gauge = readGaugeName(name);
  return gauge && { name, type: "monitored gauge", unit: gauge.unit };
}
