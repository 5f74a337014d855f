import { parseThreshold, type TestResult, type ThresholdResult } from "@bearhug/sdk";
import { formatBytes } from "../../format/bytes.ts";
import { formatDuration, formatPlanned } from "../../format/duration.ts";
import { formatNumber } from "../../format/number.ts";
import { formatPercent } from "../../format/percent.ts";
import type { Row } from "../../format/table.ts";
import type { Style } from "./style.ts";

/** Each threshold: what was asked, what came out, and where it was written if it did not hold. */
export function renderThresholds({ thresholds, metrics }: TestResult, style: Style): string[] {
  if (thresholds.length === 0) return [];
  const rows = thresholds.map((threshold): Row => {
    const isShare = metrics[metricName(threshold.metric)]?.type === "rate";
    const paint = threshold.passed === false ? style.bad : undefined;
    const actual = style.text(describeActual(threshold, isShare));
    return [
      symbolOf(threshold, style),
      style.text(threshold.metric),
      style.text(threshold.expression),
      { text: actual, ...(paint && { paint }) },
      { text: threshold.passed === false ? placeOf(threshold, style) : "", paint: style.faint },
    ];
  });
  const columns = [
    { title: "" },
    { title: "", shrinks: true },
    { title: "" },
    { title: "" },
    { title: "", shrinks: true, keep: 1 },
  ];
  return [style.heading("Thresholds"), ...style.table(columns, rows)];
}

function symbolOf(
  { passed }: ThresholdResult,
  { symbols, good, bad, warning }: Style,
): { text: string; paint: Style["good"] } {
  if (passed === null) return { text: symbols.unknown, paint: warning };
  return passed ? { text: symbols.passed, paint: good } : { text: symbols.failed, paint: bad };
}

/** The metric of "http_req_duration{page:home}". */
function metricName(key: string): string {
  return key.split("{", 1)[0] ?? key;
}

function placeOf({ source }: ThresholdResult, style: Style): string {
  return source === null ? "" : style.text(`${source.file}:${source.line}`);
}

function describeActual(threshold: ThresholdResult, isShare: boolean): string {
  const { passed, actual, allowEmpty, window } = threshold;
  if (actual === null && passed !== null) return allowEmpty ? "no samples, as allowed" : "no samples";
  const value = actual === null ? "" : formatActual(threshold, actual, isShare);
  if (passed === null) return value === "" ? "not judged" : `${value}, not judged`;
  if (window === null) return value;
  const width = formatPlanned(window.widthMs);
  return window.failedAtMs === null
    ? `${value} in any ${width}`
    : `${value} in the ${width} up to ${formatPlanned(window.failedAtMs)}`;
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
    if (bound === undefined || bound === actual || shown !== format(bound, digits)) return shown;
  }
  return format(actual, mostDigits);
}

function boundOf(expression: string): number | undefined {
  try {
    return parseThreshold(expression).bound;
  } catch {
    return undefined; // A document may hold any text here.
  }
}
