import * as z from "zod";
import { builtInMetrics, isBuiltInMetric } from "../metrics/built-in-metrics.ts";
import type { MetricUnit } from "../metrics/built-in-metrics.ts";
import { readGaugeName } from "../metrics/monitored-gauges.ts";
import { MetricSelectorSyntaxError, parseMetricSelector } from "../metrics/metric-selector.ts";
import type { MetricSelector, TagFilter } from "../metrics/metric-selector.ts";
import { checkThreshold, parseThreshold, ThresholdSyntaxError } from "./threshold-language.ts";
import type { JudgedMetric, ThresholdExpression } from "./threshold-language.ts";
import { suggestName } from "../text/closest-name.ts";
import { describeValue } from "../validation/describe-issue.ts";
import { durationSchema } from "../duration/duration.ts";
import { optionsObject } from "../validation/option-schemas.ts";
import type { Path, ProblemCollector } from "../validation/problem.ts";
import type { ValidatedMetric } from "../metrics/read-metrics.ts";
import { quote } from "../text/printable.ts";
import { once } from "../validation/once.ts";

/** A threshold, read. */
export interface ValidatedThreshold {
  /** The key as it was written: the metric, with its tag filter. */
  readonly key: string;
  readonly metric: string;
  /** Regular expressions stay texts; `parseMetricSelector(key)` makes them. */
  readonly filters: readonly ValidatedTagFilter[];
  readonly expression: ThresholdExpression;
  /** The expression as it was written. */
  readonly text: string;
  readonly abortOnFail: boolean;
  readonly delayAbortEvalMs: number;
  /** Null: judged over the whole test. */
  readonly windowMs: number | null;
  readonly allowEmpty: boolean;
}

/** A condition on one tag of a sample. */
export interface ValidatedTagFilter {
  readonly tag: string;
  readonly operator: TagFilter["operator"];
  /** The value, or the source of the regular expression. */
  readonly value: string;
}

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

/** Reads the thresholds of a test, and adds a problem for each that is not one or judges what does not exist. */
export function readThresholds(
  value: unknown,
  targets: ThresholdTargets,
  collector: ProblemCollector,
): ValidatedThreshold[] {
  const entries = collector.entriesOf(value, ["thresholds"]) ?? [];
  return entries.flatMap(([key, list]) => {
    const path = ["thresholds", key];
    const selector = readSelector(key, path, targets, collector);
    if (!Array.isArray(list) || list.length === 0) {
      const actual = Array.isArray(list) ? "empty" : describeValue(list);
      collector.add(path, `must be an array such as ["p(95)<300ms"], but is ${actual}`);
      return [];
    }
    return list.flatMap((item: unknown, index) =>
      readThreshold(
        item,
        { key, selector, metric: metricOf(selector, targets) },
        [...path, index],
        collector,
      ),
    );
  });
}

interface Subject {
  readonly key: string;
  readonly selector: MetricSelector | undefined;
  readonly metric: JudgedMetric | undefined;
}

function readThreshold(
  item: unknown,
  { key, selector, metric }: Subject,
  path: Path,
  collector: ProblemCollector,
): ValidatedThreshold[] {
  const isText = typeof item === "string";
  if (!isText && (typeof item !== "object" || item === null)) {
    collector.add(path, `must be an expression such as "p(95)<300ms", but is ${describeValue(item)}`);
    return [];
  }
  const given = isText ? { threshold: item } : item;
  const options = collector.read(optionsSchema(), given, path);
  const textPath = isText ? path : [...path, "threshold"];
  const expression = readExpression(given, metric?.unit ?? null, textPath, collector);
  if (expression === undefined || selector === undefined) return [];
  const misfit = metric === undefined ? null : checkThreshold(metric, expression);
  if (misfit !== null) collector.add(textPath, `: ${misfit}`);
  if (options === undefined) return [];
  return [
    {
      key,
      metric: selector.metric,
      filters: selector.filters.map(({ tag, operator, value }) => ({ tag, operator, value })),
      expression,
      text: expression.text,
      abortOnFail: options.abortOnFail,
      delayAbortEvalMs: options.delayAbortEval,
      windowMs: options.window ?? null,
      allowEmpty: options.allowEmpty,
    },
  ];
}

/** The expression of a threshold, also where its other options are invalid. */
function readExpression(
  given: object,
  metricUnit: MetricUnit,
  path: Path,
  collector: ProblemCollector,
): ThresholdExpression | undefined {
  const text: unknown = "threshold" in given ? given.threshold : undefined;
  if (typeof text !== "string") return undefined;
  try {
    return parseThreshold(text, metricUnit);
  } catch (error) {
    if (!(error instanceof ThresholdSyntaxError)) throw error;
    collector.add(path, `: ${error.message}`);
    return undefined;
  }
}

/** The metric and filters of a key; undefined where they can't be read. */
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
    collector.add(path, `: ${filteredGauge(selector.metric)}`);
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

/** Says that a monitored gauge has no tags to filter by. */
export function filteredGauge(name: string): string {
  return `${name} is read by a monitor and has no tags: leave the filter out`;
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

function metricOf(
  selector: MetricSelector | undefined,
  { metrics }: ThresholdTargets,
): JudgedMetric | undefined {
  if (selector === undefined) return undefined;
  const name = selector.metric;
  const declared = metrics.get(name);
  const isInvalid = declared === undefined && metrics.has(name) && !isBuiltInMetric(name);
  return isInvalid ? undefined : judgedMetric(name, declared);
}

/** The metric of a name: built in, declared by the test, or a monitor's gauge; undefined for none of them. */
export function judgedMetric(name: string, declared: ValidatedMetric | undefined): JudgedMetric | undefined {
  if (isBuiltInMetric(name)) return { name, ...builtInMetrics[name] };
  if (declared !== undefined) return { name, ...declared };
  const gauge = readGaugeName(name);
  return gauge && { name, type: "monitored gauge", unit: gauge.unit };
}
