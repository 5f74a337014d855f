/** Reads the value of `--pages-per-second`; null, and a problem, where it is none. */
export function readPageRate(text: string, problems: string[]): number | null {
  const value = Number(text);
  if (/^\d*\.?\d+$/.test(text) && value > 0 && Number.isFinite(value)) return value;
  problems.push(`--pages-per-second ${text}: must be a number above 0, such as 1.1.`);
  return null;
}
