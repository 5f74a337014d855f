import type { CaptureEntry } from "../capture.ts";
import { Lists } from "../lists.ts";

/** Connections that a browser opens to a host that speaks HTTP/1. */
const perHost = 6;
/** Tolerance: the times of recorders overlap a little. */
const overlapMs = 20;
const origin = /^https?:\/\/[^/?#]+/i;

/**
 * Infers how long requests waited for a connection, which some recorders count as the wait for the response:
 * over HTTP/1, requests to a host run on six connections, in the order in which they were made.
 */
export function inferQueueTimes(entries: readonly CaptureEntry[]): readonly CaptureEntry[] {
  const hosts = new Lists<string, Run>();
  for (const [index, entry] of entries.entries()) {
    const run = runOf(entry, index);
    const host = run === null ? undefined : origin.exec(entry.request.url)?.[0];
    if (run !== null && host !== undefined) hosts.add(host.toLowerCase(), run);
  }
  const queuedMs = new Map<number, number>();
  for (const runs of hosts.values()) if (runs.length > perHost) findQueues(runs, queuedMs);
  if (queuedMs.size === 0) return entries;
  return entries.map((entry, index) => withQueue(entry, queuedMs.get(index) ?? 0));
}

/** The time in which a request had a connection, as recorded. */
interface Run {
  readonly index: number;
  readonly startMs: number;
  readonly endMs: number;
}

function runOf(
  { protocol, servedBy, startedAtMs, durationMs, timings }: CaptureEntry,
  index: number,
): Run | null {
  if (protocol !== "http/1" || servedBy !== "network" || startedAtMs === null || durationMs === null)
    return null;
  return {
    index,
    startMs: startedAtMs + Math.min(timings.blockedMs, durationMs),
    endMs: startedAtMs + durationMs,
  };
}

function findQueues(runs: readonly Run[], queuedMs: Map<number, number>): void {
  const freeAtMs: number[] = [];
  for (const { index, startMs, endMs } of runs.toSorted((left, right) => left.startMs - right.startMs)) {
    if (freeAtMs.length < perHost) {
      freeAtMs.push(endMs);
      continue;
    }
    const earliest = Math.min(...freeAtMs);
    // A request that ended before a connection came free had one of its own: it did not come from a browser.
    if (earliest >= endMs) continue;
    if (earliest > startMs + overlapMs) queuedMs.set(index, earliest - startMs);
    freeAtMs[freeAtMs.indexOf(earliest)] = endMs;
  }
}

/** Counts the wait for a connection as blocked time, and no longer as the wait for the response. */
function withQueue(entry: CaptureEntry, queuedMs: number): CaptureEntry {
  if (queuedMs === 0) return entry;
  const { timings, durationMs } = entry;
  const waitMs = Math.max(0, timings.waitMs - queuedMs);
  const receiveMs = Math.max(0, timings.receiveMs - Math.max(0, queuedMs - timings.waitMs));
  const isMeasured = timings.waitMs + timings.receiveMs > 0;
  const ran = isMeasured
    ? { waitMs, receiveMs }
    : { waitMs: Math.max(0, (durationMs ?? 0) - queuedMs), receiveMs: 0 };
  return { ...entry, timings: { ...timings, ...ran, blockedMs: timings.blockedMs + queuedMs } };
}
