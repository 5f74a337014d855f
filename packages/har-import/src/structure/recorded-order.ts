import type { CaptureEntry } from "../capture.ts";
import type { TimedEntry } from "../visit.ts";

/** Entries by the time they were recorded at; those of the same time, or without any, stay as in the file. */
export function inRecordedOrder(entries: readonly CaptureEntry[]): TimedEntry[] {
  let latestMs: number | null = null;
  const timed = entries.map((entry): TimedEntry => {
    latestMs = entry.startedAtMs ?? latestMs;
    return { entry, atMs: latestMs };
  });
  return timed.sort((left, right) => compareTimes(left.atMs, right.atMs));
}

/** No time comes before every time. */
function compareTimes(left: number | null, right: number | null): number {
  if (left === right) return 0;
  if (left === null) return -1;
  return right === null ? 1 : left - right;
}
