import { describeLongDuration } from "@bearhug/text/duration";

/** Formats a duration with three digits: 45 ms, 1.24 s, 2 m 5 s, 3 h 0 m 0 s. */
export function showDuration(ms: number): string {
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  return ms < 59_950 ? `${Number((ms / 1000).toPrecision(3))} s` : describeLongDuration(ms);
}
