import type { CaptureEntry } from "../capture.ts";
import type { Visit } from "../visit.ts";

/** When a visit was recorded, its hops included. Milliseconds since the epoch. */
export interface Span {
  readonly startMs: number;
  readonly endMs: number;
  /** What it takes when it is repeated: without the wait for a connection, which a pool makes by itself. */
  readonly busyMs: number;
}

/** A day. What is said to have taken longer is nonsense, and must not make sums that are no numbers. */
const longestMs = 86_400_000;

/** null where the capture has no date of it. Without a duration it ends as it starts. */
export function spanOf(visit: Visit): Span | null {
  const startMs = visit.entry.startedAtMs ?? visit.atMs;
  if (startMs === null) return null;
  let endMs = startMs;
  let busyMs = 0;
  for (const { entry, atMs } of [visit, ...visit.hops]) {
    const fromMs = entry.startedAtMs ?? atMs ?? startMs;
    endMs = Math.max(endMs, fromMs + (durationOf(entry) ?? 0));
    busyMs += busyMsOf(entry);
  }
  return { startMs, endMs, busyMs: Math.min(busyMs, endMs - startMs) };
}

/** Whether the capture says when a visit was made and how long it took. */
export function isTimed(visit: Visit): boolean {
  return [visit, ...visit.hops].every(
    ({ entry }) => entry.startedAtMs !== null && durationOf(entry) !== null,
  );
}

function durationOf(entry: CaptureEntry): number | null {
  const knownMs = partsOf(entry) + entry.timings.blockedMs;
  const durationMs = entry.durationMs ?? (knownMs > 0 ? knownMs : null);
  return durationMs === null ? null : Math.min(durationMs, longestMs);
}

/** Recorders that know no parts of the time leave them at nothing: then all of it was the answer's. */
function busyMsOf(entry: CaptureEntry): number {
  const busyMs = partsOf(entry);
  const durationMs = durationOf(entry) ?? 0;
  return busyMs + entry.timings.blockedMs >= durationMs / 2 ? busyMs : durationMs;
}

function partsOf({ timings }: CaptureEntry): number {
  return timings.dnsMs + timings.connectMs + timings.sendMs + timings.waitMs + timings.receiveMs;
}
