import { readGaugeName } from "@bearhug/metrics/gauge-name";
import { findMetric, metricCatalog, type MetricInfo } from "@bearhug/metrics/metric-catalog";
import { matchesTags, parseMetricSelector } from "@bearhug/metrics/metric-selector";
import { omittedTags } from "@bearhug/metrics/own-tags";
import { exitCodes } from "@bearhug/metrics/results/exit-codes";
import { describeFailed, describeNotEvaluated } from "@bearhug/metrics/results/reason-words";
import type { SeriesStore } from "@bearhug/metrics/series-store";
import { isBuiltInTag } from "@bearhug/metrics/tags";
import type { ValidatedThreshold } from "@bearhug/metrics/thresholds/read-threshold";
import {
  aggregatedUnit,
  evaluateThreshold,
  type Evaluation,
} from "@bearhug/metrics/thresholds/threshold-language";
import { formatThresholdValue } from "@bearhug/metrics/thresholds/threshold-value";
import type { ThresholdWindows } from "@bearhug/metrics/thresholds/windows";
import type { CheckResult, TestResult, ThresholdResult, ThresholdStanding } from "@bearhug/sdk";
import type { MetricUnit } from "@bearhug/sdk/result";
import { closestName } from "@bearhug/text/closest-name";
import { formatPlanned } from "@bearhug/text/duration";
import { listSome } from "@bearhug/text/list-some";
import { formatPercent } from "@bearhug/text/percent";

import type { Collector } from "./collect.ts";
import type { RecordedPlan, RecordedThreshold } from "./run-record.ts";
import { isWhole, type Run } from "./run.ts";
import type { TagsSeen } from "./tags-seen.ts";
import { note, type Ending, type Reason } from "./verdict/ending.ts";

export interface EvaluationContext {
  readonly durationMs: number;
  /** If false, every threshold stays undecided. */
  readonly isEvaluated: boolean;
  /** Filters on these tags cannot be evaluated: a threshold with one fails. */
  readonly foldedTags: ReadonlySet<string>;
  /** Evaluated to the end of the run. */
  readonly windows: ThresholdWindows;
}

/**
 * Judges the thresholds at the end of a run. They stay undecided if it was interrupted, is a shard, or had no
 * load.
 */
export function judgeThresholds(run: Run): TestResult["thresholds"] {
  const { head, state, collector } = run;
  const { plan, thresholds } = head;
  if (plan === null) return [];
  collector.windows.finish(state.startsUntilMs);
  return thresholdResults({ plan, thresholds }, collector.store, {
    durationMs: state.durationMs,
    isEvaluated: isWhole(run) && state.workers.length > 0 && head.shard === null,
    foldedTags: collector.foldedTags,
    windows: collector.windows,
  });
}

/** Evaluates every threshold at the end of a run. */
export function thresholdResults(
  {
    thresholds,
    plan,
  }: {
    readonly thresholds: readonly RecordedThreshold[];
    readonly plan: Pick<RecordedPlan, "clients" | "metrics">;
  },
  store: SeriesStore,
  { durationMs, isEvaluated, foldedTags, windows }: EvaluationContext,
): ThresholdResult[] {
  const catalog = metricCatalog(plan);
  return thresholds.map(({ threshold, source }) => {
    const { metric, expression, allowEmpty } = threshold;
    const whole = evaluateThreshold(threshold, store.select(threshold.selector), durationMs);
    const { passed, actual, samples, censoredSamples, window } = evaluateWindow(
      threshold,
      whole,
      windows,
      durationMs,
    );
    const unit = unitOf(threshold, findMetric(catalog, threshold.selector.metric));
    const cutOff = censoredSamples === 0 ? {} : { censoredSamples };
    const kept = { metric, expression, samples, ...cutOff, allowEmpty, source, unit };
    const windowWithoutFailure = window && { ...window, failedAtMs: null };
    if (!isEvaluated) return { ...kept, passed: null, actual, window: windowWithoutFailure };
    if (cannotBeEvaluated(threshold, foldedTags))
      return { ...kept, passed: false, actual: null, window: windowWithoutFailure };
    if (leavesOutNothing(threshold, store))
      return { ...kept, samples: 0, passed: false, actual: null, window: windowWithoutFailure };
    return { ...kept, passed, actual, window };
  });
}

/** Evaluates thresholds on the samples so far, which cover `durationMs`. */
export function thresholdStandings(
  thresholds: readonly ValidatedThreshold[],
  catalog: ReadonlyMap<string, MetricInfo>,
  { totals, windows, foldedTags }: Pick<Collector, "totals" | "windows" | "foldedTags">,
  durationMs: number,
): ThresholdStanding[] {
  return thresholds.map((threshold) => {
    const { metric, expression, selector, windowMs } = threshold;
    const info = findMetric(catalog, selector.metric);
    const named = { metric, expression, unit: unitOf(threshold, info), isShare: info?.type === "rate" };
    if (cannotBeEvaluated(threshold, foldedTags)) return { ...named, passed: false, actual: null };
    if (windowMs !== null) {
      const { passed, actual } = windows.reading(threshold) ?? { passed: null, actual: null };
      return { ...named, passed, actual };
    }
    const { passed, actual, samples } = evaluateThreshold(threshold, totals.of(threshold), durationMs);
    return { ...named, passed: samples === 0 ? null : passed, actual };
  });
}

function unitOf({ condition }: ValidatedThreshold, metric: MetricInfo | undefined): MetricUnit {
  return metric === undefined ? null : aggregatedUnit(metric, condition.aggregation.kind);
}

/** Evaluates a threshold in its windows. A run shorter than a window counts as one; without a window the whole run counts. */
function evaluateWindow(
  threshold: ValidatedThreshold,
  whole: Evaluation,
  windows: ThresholdWindows,
  durationMs: number,
): Evaluation & Pick<ThresholdResult, "window"> {
  const { windowMs: widthMs } = threshold;
  if (widthMs === null) return { ...whole, window: null };
  if (whole.samples === 0) return { ...whole, window: { widthMs, failedAtMs: null } };
  const { endMs, ...reading } = windows.reading(threshold) ?? { ...whole, endMs: durationMs };
  return { ...reading, window: { widthMs, failedAtMs: reading.passed ? null : endMs } };
}

/** Returns true if samples of the threshold may have been merged with others, so that its filters cannot be applied. */
function cannotBeEvaluated({ selector }: ValidatedThreshold, foldedTags: ReadonlySet<string>): boolean {
  const areLeftOut = foldedTags.has(omittedTags);
  return selector.filters.some(({ tag }) => foldedTags.has(tag) || (areLeftOut && !isBuiltInTag(tag)));
}

/**
 * True for a threshold with a `!=` filter on a tag that no sample of the run carried: the filter excludes
 * nothing, as with a misspelt tag. Built-in tags may be absent, such as `page` in a run without pages.
 */
export function leavesOutNothing(
  { selector, allowEmpty }: Pick<ValidatedThreshold, "selector" | "allowEmpty">,
  store: SeriesStore,
): boolean {
  if (allowEmpty) return false;
  const unknown = selector.filters.filter(
    ({ tag, operator }) => operator === "notEquals" && !isBuiltInTag(tag),
  );
  return unknown.some(({ tag }) => ![...store.all()].some(({ tags }) => Object.hasOwn(tags, tag)));
}

/**
 * Returns a sentence for each threshold that could not be evaluated, because its samples could not be
 * distinguished.
 */
export function unevaluatedReasons(run: Run): string[] {
  const { head, collector } = run;
  const thresholds = isWhole(run) ? head.thresholds : [];
  return thresholds
    .filter(({ threshold }) => cannotBeEvaluated(threshold, collector.foldedTags))
    .map(
      ({ threshold: { metric } }) =>
        `${describeNotEvaluated(metric)}: there were too many tag combinations, so some were merged`,
    );
}

/** False for a threshold with samples but no value: it could not be evaluated, which another rule reports. */
export function hasFailed({ passed, actual, samples }: ThresholdResult): boolean {
  return passed === false && (actual !== null || samples === 0);
}

/** The rule of the verdict for thresholds that failed. */
export function failedThresholds({ thresholds, metrics, checks, tagsSeen }: Ending): Reason[] {
  return thresholds.filter(hasFailed).map((threshold) => {
    const { metric, actual } = threshold;
    const was =
      actual === null
        ? describeNoSamples(metric, { metrics, tagsSeen })
        : `was ${describeValue(threshold, actual, metrics)}${describeFirst(metric, checks)}`;
    const message = `${describeFailed(threshold)}${was})`;
    return { code: exitCodes.thresholdsFailed, message };
  });
}

/** From this share of the load on, a gauge without readings is noted. */
const minUnreadShare = 0.1;

/** Notes gauges that were not read for a part of the load, if thresholds on them hold for the rest. */
export function unreadGauges({ thresholds, monitors }: Ending): Reason[] {
  const held = new Set(thresholds.flatMap(({ metric, passed }) => (passed === true ? [metric] : [])));
  return monitors.flatMap(({ gauges, gaps: [gap] }) =>
    gauges.flatMap(({ metric, points }) => {
      const share = points.filter((point) => point === null).length / points.length;
      if (gap === undefined || !held.has(metric) || share < minUnreadShare) return [];
      const message = `${metric} was not read for ${formatPercent(share)} of the load, so its thresholds hold for the rest alone: ${gap.reason}`;
      return [note(message)];
    }),
  );
}

/** The rule of the verdict for thresholds that could not be evaluated. */
export function unevaluatedThresholds({ unevaluated }: Ending): Reason[] {
  return unevaluated.map((message) => ({ code: exitCodes.thresholdsFailed, message }));
}

/** Explains why there are no samples: names the gauges that the monitor has, or the tags that samples had. */
function describeNoSamples(
  metric: string,
  { metrics, tagsSeen }: Pick<Ending, "metrics" | "tagsSeen">,
): string {
  if (metric.includes("{")) {
    const { metric: name } = parseMetricSelector(metric);
    return `no samples${describeFilters(metric, tagsSeen(name))}`;
  }
  const monitor = readGaugeName(metric)?.monitor;
  const own = Object.keys(metrics).filter((name) => readGaugeName(name)?.monitor === monitor);
  return monitor === undefined || own.length === 0 ? "no samples" : `no samples; there is ${own.join(", ")}`;
}

/** Formats the value as the table of thresholds does, with its window and the number of cut-off samples. */
function describeValue(threshold: ThresholdResult, actual: number, metrics: Ending["metrics"]): string {
  const bound = threshold.censoredSamples === undefined ? "" : "at least ";
  const value = formatThresholdValue(threshold, actual, metrics);
  return `${bound}${value}${describeWindow(threshold.window)}${describeCensored(threshold)}`;
}

/** Names the first check that failed, and its page, group or scenario. */
function describeFirst(metric: string, checks: readonly CheckResult[]): string {
  const first = checks.find(({ fails }) => fails > 0);
  if (metric !== "checks" || first === undefined) return "";
  const { name, page, group, scenario } = first;
  const outer = group === null ? `scenario ${scenario}` : `group ${group}`;
  return `; first: "${name}" in ${page === null ? outer : `page ${page}`}`;
}

/** Names the window that failed; empty if the whole run was evaluated. */
function describeWindow(window: ThresholdResult["window"]): string {
  if (typeof window?.failedAtMs !== "number" || window.failedAtMs < window.widthMs) return "";
  return ` in the ${formatPlanned(window.widthMs)} up to ${formatPlanned(window.failedAtMs)}`;
}

/** Explains a value that is only a lower bound; empty for an exact one. */
function describeCensored({ metric, samples, censoredSamples }: ThresholdResult): string {
  if (censoredSamples === undefined) return "";
  return metric.startsWith("http_req_")
    ? `: ${censoredSamples} of ${samples} requests never got a complete response`
    : `: ${censoredSamples} of ${samples} were cut off before they ended`;
}

const maxNamed = 8;

/** Explains why the filters of a threshold selected no sample; empty if the metric has no samples at all. */
export function describeFilters(key: string, seen: TagsSeen): string {
  const { metric, filters } = parseMetricSelector(key);
  if (seen.size === 0) return "";
  for (const filter of filters) {
    const { tag } = filter;
    const values = seen.get(tag);
    // A `!=` filter on an absent built-in tag excludes nothing, so it is not the cause.
    if (values === undefined && filter.operator === "notEquals" && isBuiltInTag(tag)) continue;
    if (values === undefined) {
      const tags = [...seen.keys()];
      const meant = isBuiltInTag(tag) ? undefined : closestName(tag, tags);
      const hint = meant === undefined ? "" : `: did you mean ${meant}?`;
      return `; no sample of ${metric} has a tag ${tag}, only ${listSome(tags, maxNamed)}${hint}`;
    }
    const selector = { metric, filters: [filter] };
    if (![...values].some((value) => matchesTags(selector, { [tag]: value })))
      return `; ${tag} was ${listSome([...values], maxNamed)}`;
  }
  return "";
}
