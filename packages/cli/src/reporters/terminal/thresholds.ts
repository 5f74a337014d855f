import type { TestResult, ThresholdResult } from "@bearhug/sdk";
import { formatPlanned } from "../../format/duration.ts";
import { atLeast, formatCount } from "../../format/number.ts";
import type { Row } from "../../format/table.ts";
import { formatThresholdValue } from "../../format/threshold-value.ts";
import { describeTooFew } from "./percentile-trust.ts";
import type { Style } from "./style.ts";

/** Each threshold: what was asked, what came out, and more where it did not hold. */
export function renderThresholds({ thresholds, metrics, durationMs }: TestResult, style: Style): string[] {
  if (thresholds.length === 0) return [];
  const rows = thresholds.map((threshold): Row => {
    const actual = describeActual(threshold, metrics, durationMs);
    return [
      symbolOf(threshold, style),
      style.text(threshold.metric),
      style.text(threshold.expression),
      threshold.passed === false ? { text: actual, paint: style.bad } : actual,
    ];
  });
  const columns = [{ title: "" }, { title: "", shrinks: true }, { title: "", shrinks: true }, { title: "" }];
  const lines = style.table(columns, rows);
  return [
    style.heading("Thresholds"),
    ...thresholds.flatMap((threshold, index) => [lines[index] ?? "", ...renderDetails(threshold, style)]),
  ];
}

function symbolOf(
  { passed }: ThresholdResult,
  { symbols, good, bad, warning }: Style,
): { text: string; paint: Style["good"] } {
  if (passed === null) return { text: symbols.unknown, paint: warning };
  return passed ? { text: symbols.passed, paint: good } : { text: symbols.failed, paint: bad };
}

/** When it did not hold, and where it was written; why it held where that is not plain. */
function renderDetails(threshold: ThresholdResult, style: Style): string[] {
  const { passed, actual, window, source } = threshold;
  const tooFew = passed === null ? null : describeTooFew(threshold);
  const pieces = [
    ...(passed === true && actual === null ? ["allowed to be empty"] : []),
    ...(passed === false ? describeCensored(threshold) : []),
    ...(typeof window?.failedAtMs === "number" ? [describeWindow(window.widthMs, window.failedAtMs)] : []),
    ...(source === null || passed !== false ? [] : [`${style.text(source.file)}:${source.line}`]),
    ...(tooFew === null ? [] : [tooFew]),
  ];
  const indent = 4 + Math.max(style.symbols.failed.length, style.symbols.passed.length);
  return pieces.length === 0 ? [] : style.pieces(pieces, { indent, paint: style.faint });
}

/** Why a value that lies within the bound does not hold. */
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

function describeActual(
  threshold: ThresholdResult,
  metrics: TestResult["metrics"],
  durationMs: number,
): string {
  const { passed, actual, window } = threshold;
  if (actual === null && passed !== null) return "no samples";
  const value =
    actual === null
      ? ""
      : atLeast(formatThresholdValue(threshold, actual, metrics), threshold.censoredSamples !== undefined);
  if (passed === null) return value === "" ? "not judged" : `${value}, not judged`;
  return window !== null && passed && window.widthMs <= durationMs
    ? `${value} in any ${formatPlanned(window.widthMs)}`
    : value;
}
