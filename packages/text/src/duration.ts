import { groupDigits, toSignificant } from "./number.ts";

const microsecondMs = 0.001;
const secondMs = 1000;
const minuteMs = 60 * secondMs;

/** Formats a time in a suitable unit: 830 µs, 1.24 ms, 12.4 s, 1 m 30 s, 2 h 5 m 0 s. */
export function formatDuration(ms: number, digits = 3): string {
  if (ms < 0) return `-${formatDuration(-ms, digits)}`;
  if (ms === 0) return "0 ms";
  if (rounded(ms / microsecondMs, digits) < 1000) return `${toSignificant(ms / microsecondMs, digits)} µs`;
  if (rounded(ms, digits) < 1000) return `${toSignificant(ms, digits)} ms`;
  if (rounded(ms / secondMs, digits) < 60) return `${toSignificant(ms / secondMs, digits)} s`;
  return describeLongDuration(ms);
}

function rounded(value: number, digits: number): number {
  return Number(toSignificant(value, digits));
}

/** Formats a duration as planned, without false precision: 500 ms, 10 s, 1 m 30 s. */
export function formatPlanned(ms: number): string {
  if (ms < secondMs) return `${Number(ms.toFixed(3))} ms`;
  return ms < minuteMs ? `${Number((ms / secondMs).toFixed(3))} s` : describeLongDuration(ms);
}

/** Formats milliseconds for a column with "ms" in its title: 0.083, 1.10, 15.2, 412, 60 000. */
export function formatMilliseconds(ms: number): string {
  if (ms === 0) return "0";
  return groupDigits(Math.abs(ms) < 0.1 ? ms.toFixed(3) : toSignificant(ms, 3));
}

/** Formats a time of a minute or more in whole seconds: 1 m 30 s, 2 h 5 m 0 s. */
export function describeLongDuration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  return `${hours > 0 ? `${hours} h ` : ""}${minutes} m ${seconds % 60} s`;
}
