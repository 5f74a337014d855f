import { parseDuration } from "@bearhug/sdk/internal";

/** Reads a time that is longer than 0; null, and a problem, where it is none. */
export function readPositiveDuration(
  flag: string,
  text: string | undefined,
  problems: string[],
): number | null {
  const durationMs = readDuration(flag, text, problems);
  if (durationMs !== 0) return durationMs;
  problems.push(`${flag} ${text}: must be longer than 0.`);
  return null;
}

/** A year, as in a test. */
const longestMs = 365 * 24 * 3_600_000;

/** Reads a time; null, and a problem, where it is none. */
export function readDuration(flag: string, text: string | undefined, problems: string[]): number | null {
  if (text === undefined) return null;
  try {
    const durationMs = parseDuration(text);
    if (durationMs <= longestMs) return durationMs;
    problems.push(`${flag} ${text}: must be at most 8760h.`);
    return null;
  } catch (error) {
    problems.push(`${flag} ${text}: ${error instanceof Error ? error.message : String(error)}`);
    return null;
  }
}
