import {
  builtInMetrics,
  isBuiltInMetric,
  parseThreshold,
  type TestResult,
  type ThresholdResult,
} from "@bearhug/sdk";
import { formatBytes } from "../../format/bytes.ts";
import { formatDuration, formatPlanned } from "../../format/duration.ts";
import { atLeast, formatCount, formatNumber } from "../../format/number.ts";
import { formatPercent } from "../../format/percent.ts";
import type { Row } from "../../format/table.ts";
import { describeTooFew } from "./percentile-trust.ts";
import type { Style } from "./style.ts";

/** Each threshold: what was asked, what came out, and more where it did not hold. */
export function renderThresholds({ thresholds, metrics, durationMs }: TestResult, style: Style): string[] {
  if (thresholds.length === 0) return [];
  const rows = thresholds.map((threshold): Row => {
    const actual = describeActual(threshold, isShare(threshold.metric, metrics), durationMs);
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

/** Whether a threshold's key, such as "http_req_failed{page:home}", is about a rate, whose values are shares of 1. */
function isShare(key: string, metrics: TestResult["metrics"]): boolean {
  const name = key.split("{", 1)[0] ?? key;
  return (metrics[name]?.type ?? (isBuiltInMetric(name) ? builtInMetrics[name].type : null)) === "rate";
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

function describeActual(threshold: ThresholdResult, isShare: boolean, durationMs: number): string {
  const { passed, actual, window } = threshold;
  if (actual === null && passed !== null) return "no samples";
  const value =
    actual === null
      ? ""
      : atLeast(formatActual(threshold, actual, isShare), threshold.censoredSamples !== undefined);
  if (passed === null) return value === "" ? "not judged" : `${value}, not judged`;
  return window !== null && passed && window.widthMs <= durationMs
    ? `${value} in any ${formatPlanned(window.widthMs)}`
    : value;
}

const mostDigits = 12;

/** With as many digits as it takes to tell it from the bound: "300 ms" must not fail "p(95)<300ms". */
function formatActual({ expression, unit }: ThresholdResult, actual: number, isShare: boolean): string {
  const bound = boundOf(expression);
  const format = (value: number, digits: number): string => {
    if (isShare) return formatPercent(value, digits - 1);
    if (unit === "ms") return formatDuration(value, digits);
    return unit === "bytes" ? formatBytes(value, digits) : formatNumber(value, digits);
  };
  for (let digits = 3; digits < mostDigits; digits += 1) {
    const shown = format(actual, digits);
    if (bound === undefined || bound === actual || !saysSame(shown, format(bound, digits))) return shown;
  }
  return format(actual, mostDigits);
}

/** "1.00" says the same as "1". */
function saysSame(left: string, right: string): boolean {
  const [a, b] = [left, right].map((text) => text.replace(/(\.\d*?)0+(?!\d)/, "$1").replace(/\.(?!\d)/, ""));
  return a === b;
}

function boundOf(expression: string): number | undefined {
  try {
    return parseThreshold(expression).bound;
  } catch {
    return undefined; // A document may hold any text here.
  }
}
