import { readGaugeName } from "@bearhug/metrics/gauge-name";
import { parseMetricSelector, matchesTags } from "@bearhug/metrics/metric-selector";
import { exitCodes } from "@bearhug/metrics/results/exit-codes";
import { describeFailed } from "@bearhug/metrics/results/reason-words";
import { isBuiltInTag } from "@bearhug/metrics/tags";
import { formatThresholdValue } from "@bearhug/metrics/thresholds/threshold-value";
import type { ThresholdResult } from "@bearhug/sdk";
import { closestName } from "@bearhug/text/closest-name";
import { formatPlanned } from "@bearhug/text/duration";

import type { Ending, Reason } from "./ending.ts";
import type { FailedCheck } from "./first-failed-check.ts";
import type { TagsSeen } from "../tags-seen.ts";

export function failedThresholds({ thresholds, metrics, firstFailedCheck, tagsSeen }: Ending): Reason[] {
  // A threshold with samples but no value could not be evaluated: another rule reports it.
  const failed = thresholds.filter(
    ({ passed, actual, samples }) => passed === false && (actual !== null || samples === 0),
  );
  return failed.map((threshold) => {
    const { metric, actual } = threshold;
    const was =
      actual === null
        ? describeNoSamples(metric, { metrics, tagsSeen })
        : `was ${describeValue(threshold, actual, metrics)}${describeFirst(metric, firstFailedCheck)}`;
    const message = `${describeFailed(threshold)}${was})`;
    return { code: exitCodes.thresholdsFailed, message };
  });
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
function describeFirst(metric: string, first: FailedCheck | null): string {
  if (metric !== "checks" || first === null) return "";
  const { name, page, group, scenario } = first;
  const outer = group === null ? `scenario ${scenario}` : `group ${group}`;
  return `; first: "${name}" in ${page === null ? outer : `page ${page}`}`;
}

export function unevaluatedThresholds({ unevaluated }: Ending): Reason[] {
  return unevaluated.map((message) => ({ code: exitCodes.thresholdsFailed, message }));
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
      return `; no sample of ${metric} has a tag ${tag}, only ${listed(tags)}${hint}`;
    }
    const selector = { metric, filters: [filter] };
    if (![...values].some((value) => matchesTags(selector, { [tag]: value })))
      return `; ${tag} was ${listed([...values])}`;
  }
  return "";
}

function listed(names: readonly string[]): string {
  const more = names.length - maxNamed;
  return `${names.slice(0, maxNamed).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
