import { isCapture } from "./load-capture.ts";
import { readPageRate } from "./page-rate.ts";

/** What sets the pace of a capture's replay, as it was written. */
export interface PaceFlags {
  readonly pagesPerSecond?: string;
  readonly vus?: string;
  readonly iterations?: string;
}

/** Reads `--pages-per-second`: page loads to start in a second; null, and perhaps a problem, where none can be. */
export function readPagesPerSecond(
  { pagesPerSecond: text, vus, iterations }: PaceFlags,
  file: string,
  problems: string[],
): number | null {
  if (text === undefined) return null;
  const flag = `--pages-per-second ${text}`;
  if (!isCapture(file)) {
    problems.push(`${flag}: is for captures (.har); ${file} is a test, which says its own rate.`);
    return null;
  }
  if (vus !== undefined || iterations !== undefined) {
    problems.push(
      `${flag}: sets the pace, so leave out --vus and --iterations; --duration says for how long.`,
    );
  }
  return readPageRate(text, problems);
}
