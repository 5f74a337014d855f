import { isCapture } from "../command-line/test-file-problem.ts";

/** The flags that set the pace of a capture's replay, unparsed. */
export interface PaceFlags {
  readonly pagesPerSecond?: string;
  readonly vus?: string;
  readonly iterations?: string;
  readonly rate?: string;
}

/**
 * Reads `--pages-per-second`: page loads to start per second. Null if the flag is absent or, with a problem,
 * invalid.
 */
export function readPagesPerSecond(
  { pagesPerSecond: text, vus, iterations, rate }: PaceFlags,
  file: string,
  problems: string[],
): number | null {
  if (text === undefined) return null;
  const flag = `--pages-per-second ${text}`;
  if (!isCapture(file)) {
    problems.push(`${flag}: works with recordings (.har) only; ${file} is a test and sets its own rate.`);
    return null;
  }
  if (vus !== undefined || iterations !== undefined || rate !== undefined) {
    problems.push(`${flag}: cannot be combined with --vus, --iterations or --rate; use --duration.`);
  }
  return readPageRate(text, problems);
}

/** Parses the value of `--pages-per-second`; null, with a problem, if it is invalid. */
export function readPageRate(text: string, problems: string[]): number | null {
  const value = Number(text);
  if (/^\d*\.?\d+$/.test(text) && value > 0 && Number.isFinite(value)) return value;
  problems.push(`--pages-per-second ${text}: must be a number above 0, such as 1.1.`);
  return null;
}
