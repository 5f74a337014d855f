/** A time for people, to three digits: 45 ms, 1.24 s, 2 min 5 s, 3 h. */
export function showDuration(ms: number): string {
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${Number((ms / 1000).toPrecision(3))} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return inTwoUnits(seconds, "min", "s");
  return inTwoUnits(Math.round(seconds / 60), "h", "min");
}

function inTwoUnits(count: number, large: string, small: string): string {
  const rest = count % 60;
  return `${Math.floor(count / 60)} ${large}${rest === 0 ? "" : ` ${rest} ${small}`}`;
}
