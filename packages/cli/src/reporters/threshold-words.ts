import type { TestResult, ThresholdResult } from "@bearhug/sdk";
import { formatPlanned } from "../format/duration.ts";
import { atLeast, formatCount } from "../format/number.ts";
import { formatThresholdValue } from "../format/threshold-value.ts";

/** The value that a threshold was judged on, or why there is none. */
export function describeActual(
  threshold: ThresholdResult,
  { metrics, durationMs }: Pick<TestResult, "metrics" | "durationMs">,
): string {
  const { passed, actual, samples, window } = threshold;
  if (actual === null && passed !== null) return samples === 0 ? "no samples" : "could not be judged";
  const value =
    actual === null
      ? ""
      : atLeast(formatThresholdValue(threshold, actual, metrics), threshold.censoredSamples !== undefined);
  if (passed === null) return value === "" ? "not judged" : `${value}, not judged`;
  return window !== null && passed && window.widthMs <= durationMs
    ? `${value} in any ${formatPlanned(window.widthMs)}`
    : value;
}

/** Why a value that lies within the bound does not hold, and the window in which it did not; empty where that is plain. */
export function describeFailure(threshold: ThresholdResult): string[] {
  const { passed, window } = threshold;
  return [
    ...(passed === false ? describeCensored(threshold) : []),
    ...(typeof window?.failedAtMs === "number" ? [describeWindow(window.widthMs, window.failedAtMs)] : []),
  ];
}

function describeCensored({ censoredSamples, samples }: ThresholdResult): string[] {
  if (censoredSamples === undefined) return [];
  return [
    `a lower bound: ${formatCount(censoredSamples)} of ${formatCount(samples)} samples were cut off before they ended`,
  ];
}

function describeWindow(widthMs: number, failedAtMs: number): string {
  const width = formatPlanned(widthMs);
  return failedAtMs < widthMs
    ? `in the whole run, which was shorter than ${width}`
    : `in the ${width} up to ${formatPlanned(failedAtMs)}`;
}
