/** A length of time as a test writes it: in whole milliseconds, from a second on in tenths of seconds. */
export function writeDuration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)}ms`;
  return `${Math.round(milliseconds / 100) / 10}s`;
}
