import { samplesForConfidence } from "@bearhug/metrics/quantiles";
import { aggregationName, percentileOf } from "@bearhug/metrics/thresholds/threshold-language";
import { conditionOf, formatThresholdValue } from "@bearhug/metrics/thresholds/threshold-value";
import type { TestResult, ThresholdResult } from "@bearhug/sdk";
import { formatPlanned } from "@bearhug/text/duration";
import { markLowerBound, formatCount, formatCounted } from "@bearhug/text/number";

import { type Details, name, outcomeCell, sign, type Table, text } from "./table.ts";

/** Returns the table of thresholds with their measured values. */
export function thresholdTable(result: TestResult): Table {
  return {
    id: "thresholds",
    title: "Thresholds",
    note: "",
    columns: [sign("outcome"), name("metric"), name("must be"), text("was")],
    rows: result.thresholds.map((threshold) => ({
      cells: [
        outcomeCell(threshold.passed),
        { text: threshold.metric },
        {
          text: threshold.expression,
          ...(threshold.window !== null && { aside: describeWidth(threshold.window) }),
        },
        { text: describeActual(threshold, result), tone: threshold.passed === false ? "bad" : "plain" },
      ],
      details: detailsOf(threshold),
    })),
  };
}

/**
 * Returns when a threshold failed and where the test declares it, or why it passed if that is not obvious.
 */
function detailsOf(threshold: ThresholdResult): Details {
  const { passed, actual, source } = threshold;
  const tooFew = passed === null ? null : describeTooFew(threshold);
  return {
    sentences: [
      ...(passed === true && actual === null ? ["allowed to be empty"] : []),
      ...describeFailedThreshold(threshold),
      ...(tooFew === null ? [] : [tooFew]),
    ],
    place: source === null || passed !== false ? null : `${source.file}:${source.line}`,
  };
}

/** Describes the condition of a threshold, and its window. */
export function describeCondition({
  metric,
  expression,
  window,
}: Pick<ThresholdResult, "metric" | "expression" | "window">): string {
  return `${metric}: ${expression}${window === null ? "" : ` ${describeWidth(window)}`}`;
}

function describeWidth({ widthMs }: NonNullable<ThresholdResult["window"]>): string {
  return `in any ${formatPlanned(widthMs)}`;
}

/** Describes the measured value of a threshold, or why there is none. */
export function describeActual(
  threshold: ThresholdResult,
  { metrics, durationMs }: Pick<TestResult, "metrics" | "durationMs">,
): string {
  const { passed, actual, samples, window } = threshold;
  if (actual === null && passed !== null) return samples === 0 ? "no samples" : "could not be evaluated";
  const value =
    actual === null
      ? ""
      : markLowerBound(
          formatThresholdValue(threshold, actual, metrics),
          threshold.censoredSamples !== undefined,
        );
  if (passed === null) return value === "" ? "not evaluated" : `${value}, not evaluated`;
  return window !== null && passed && window.widthMs <= durationMs
    ? `${value} ${describeWidth(window)}`
    : value;
}

/**
 * Describes details of a failed threshold: a lower bound, or the window that failed; empty if there are none.
 */
export function describeFailedThreshold(threshold: ThresholdResult): string[] {
  const { passed, window } = threshold;
  return [
    ...(passed === false ? describeCensored(threshold) : []),
    ...(typeof window?.failedAtMs === "number" ? [describeWindow(window.widthMs, window.failedAtMs)] : []),
  ];
}

function describeCensored({ censoredSamples, samples }: ThresholdResult): string[] {
  if (censoredSamples === undefined) return [];
  return [`a lower bound: ${formatCount(censoredSamples)} of ${formatCount(samples)} samples were cut off`];
}

function describeWindow(widthMs: number, failedAtMs: number): string {
  const width = formatPlanned(widthMs);
  return failedAtMs < widthMs
    ? `over the whole run, which was shorter than ${width}`
    : `in the ${width} up to ${formatPlanned(failedAtMs)}`;
}

/**
 * Returns a warning if a threshold's percentile has too few samples; null if it has enough, or is no
 * percentile.
 */
function describeTooFew(threshold: ThresholdResult): string | null {
  const { samples, actual } = threshold;
  const aggregation = conditionOf(threshold)?.aggregation;
  const percentile = aggregation === undefined ? null : percentileOf(aggregation);
  if (aggregation === undefined || percentile === null || actual === null) return null;
  const needed = samplesForConfidence(percentile);
  if (samples >= needed || !Number.isFinite(needed)) return null;
  const counted = formatCounted(samples, "sample");
  return `only ${counted}: ${aggregationName(aggregation)} needs ${formatCount(needed)} for a 95 % confidence interval`;
}
