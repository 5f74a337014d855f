import type { ThresholdResult } from "@bearhug/sdk";

import { parseMetricSelector, readGaugeName } from "@bearhug/sdk/internal";

import { exitCodes } from "../../exit-codes.ts";
import { formatPlanned } from "../../format/duration.ts";
import { describeFailed } from "../../format/reason-words.ts";
import { formatThresholdValue } from "../../format/threshold-value.ts";
import { describeFilters } from "./describe-filters.ts";
import type { Ending, Reason } from "./ending.ts";
import type { FailedCheck } from "./first-failed-check.ts";

export function failedThresholds({ thresholds, metrics, firstFailedCheck, tagsSeen }: Ending): Reason[] {
  // One with samples but without a value could not be evaluated: that has a reason of its own.
  const failed = thresholds.filter(
    ({ passed, actual, samples }) => passed === false && (actual !== null || samples === 0),
  );
  return failed.map((threshold) => {
    const { metric, actual } = threshold;
    const was =
      actual === null
        ? describeNothing(metric, { metrics, tagsSeen })
        : `was ${describeValue(threshold, actual, metrics)}${describeFirst(metric, firstFailedCheck)}`;
    const message = `${describeFailed(threshold)}${was})`;
    return { code: exitCodes.thresholdsFailed, message };
  });
}

/** Names the gauges that a monitor has, where a threshold is on another one, and the tags that there were. */
function describeNothing(
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

/** The value as the table of thresholds shows it, and when and of what it was. */
function describeValue(threshold: ThresholdResult, actual: number, metrics: Ending["metrics"]): string {
  const bound = threshold.censoredSamples === undefined ? "" : "at least ";
  const value = formatThresholdValue(threshold, actual, metrics);
  return `${bound}${value}${describeWindow(threshold.window)}${describeCensored(threshold)}`;
}

/** Names the first check that did not hold, and the page or group of the test that it is in. */
function describeFirst(metric: string, first: FailedCheck | null): string {
  if (metric !== "checks" || first === null) return "";
  const { name, page, group, scenario } = first;
  const outer = group === null ? `scenario ${scenario}` : `group ${group}`;
  return `; first: "${name}" in ${page === null ? outer : `page ${page}`}`;
}

export function unanswerableThresholds({ unanswerable }: Ending): Reason[] {
  return unanswerable.map((message) => ({ code: exitCodes.thresholdsFailed, message }));
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
