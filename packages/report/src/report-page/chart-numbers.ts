import { formatBytes } from "@bearhug/text/bytes";
import { formatNumber, groupDigits, toSignificant } from "@bearhug/text/number";
import { formatPercent } from "@bearhug/text/percent";

import type { ChartUnit } from "../html/page-data.ts";

/** Formats a value of a chart with its unit. */
export function formatValue(value: number | null | undefined, unit: ChartUnit): string {
  if (value === null || value === undefined) return "–";
  if (unit === "ms") return formatTime(value);
  if (unit === "share") return formatPercent(value);
  if (unit === "percent") return `${formatNumber(value)} %`;
  if (unit === "bytes") return formatBytes(value);
  if (unit === "bytes per second") return `${formatBytes(value)}/s`;
  return unit === "per second" ? `${formatNumber(value)}/s` : formatNumber(value);
}

/** Formats a time more briefly than elsewhere: a chart has little room beside its axis. */
export function formatTime(ms: number): string {
  if (ms === 0) return "0";
  if (ms < 1) return `${trim(toSignificant(ms * 1000, 3))} µs`;
  if (ms < 1000) return `${trim(toSignificant(ms, 3))} ms`;
  return `${trim(groupDigits(toSignificant(ms / 1000, 3)))} s`;
}

/** Formats a moment of the run: 0:05, 12:30, 1:02:30. */
export function formatMoment(seconds: number): string {
  const whole = Math.round(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const rest = String(whole % 60).padStart(2, "0");
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}

/** Formats a percentile: p50, p99.9. */
export function formatPercentile(percentile: number): string {
  return `p${Number(percentile.toFixed(4))}`;
}

function trim(number: string): string {
  return number.includes(".") ? number.replace(/\.?0+$/, "") : number;
}
