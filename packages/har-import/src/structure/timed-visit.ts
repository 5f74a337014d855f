import type { CaptureEntry } from "../capture.ts";
import { type ResourceType, resourceTypeOf } from "../select/resource-type.ts";
import { lastOf, type Visit } from "../visit.ts";

/** A request as it is replayed, with its duration if it need not wait for a connection. */
export interface Replayed {
  readonly origin: string;
  /** True if requests share a connection, as in HTTP/2, so that none waits for one. */
  readonly isMultiplexed: boolean;
  /** True if the host speaks HTTP/1: a browser opens no more than six connections to it. */
  readonly isLimited: boolean;
  readonly busyMs: number;
}

/** A visit with its times in milliseconds since the first start of its step. */
export interface TimedVisit extends Replayed {
  readonly visit: Visit;
  /** When the browser made the request. */
  readonly startMs: number;
  /** When it no longer waited for a connection: `busyMs` before its end. */
  readonly runMs: number;
  readonly endMs: number;
  readonly isCall: boolean;
  readonly isScript: boolean;
  /**
   * True if its response may have caused a later request: one of a script or style sheet, or a call after any
   * response.
   */
  readonly isAwaited: boolean;
}

/** Returns the visits of a step with their times; null if the capture does not have them. */
export function timeVisits(visits: readonly Visit[]): TimedVisit[] | null {
  const spans = visits.map(spanOf);
  if (spans.includes(null) || !visits.some(isTimed)) return null;
  const originMs = spans.reduce((earliest, span) => Math.min(earliest, span?.startMs ?? earliest), Infinity);
  const lastUse = findLastUse(visits);
  return visits.flatMap((visit, index): TimedVisit[] => {
    const span = spans[index];
    if (span === null || span === undefined) return [];
    const isAwaited = lastUse(visit) >= span.endMs;
    const kinds = { isCall: isCall(visit), isScript: typeOf(visit) === "script" };
    return [{ ...replayedOf(visit), visit, ...timesOf(span, originMs), ...kinds, isAwaited }];
  });
}

/** Returns a function that returns the start of the last request that a visit may have caused. */
function findLastUse(visits: readonly Visit[]): (visit: Visit) => number {
  const lastByInitiator = new Map<string, number>();
  let lastCallMs = -Infinity;
  let lastUnattributedCallMs = -Infinity;
  for (const visit of visits) {
    const startMs = spanOf(visit)?.startMs ?? -Infinity;
    const initiator = visit.entry.initiator?.url ?? null;
    if (initiator !== null)
      lastByInitiator.set(initiator, Math.max(lastByInitiator.get(initiator) ?? startMs, startMs));
    if (!isCall(visit)) continue;
    lastCallMs = Math.max(lastCallMs, startMs);
    if (initiator === null) lastUnattributedCallMs = Math.max(lastUnattributedCallMs, startMs);
  }
  return (visit) => {
    const lastMs = lastByInitiator.get(lastOf(visit).url.href) ?? -Infinity;
    const type = typeOf(visit);
    if (isCall(visit) || type === "document") return Math.max(lastMs, lastCallMs);
    // If its initiator is unknown, a call may come from any script that has arrived.
    return type === "script" ? Math.max(lastMs, lastUnattributedCallMs) : lastMs;
  };
}

function typeOf({ entry, url }: Visit): ResourceType {
  return resourceTypeOf(entry, url);
}

/** Returns the connection time that a visit takes in a replay. Redirects to other origins count for the first one. */
export function replayedOf(visit: Visit): Replayed {
  const { protocol } = visit.entry;
  return {
    origin: visit.url.origin,
    isMultiplexed: protocol === "http/2" || protocol === "http/3",
    isLimited: protocol === "http/1",
    busyMs: spanOf(visit)?.busyMs ?? 0,
  };
}

function timesOf(
  { startMs, endMs, busyMs }: { readonly startMs: number; readonly endMs: number; readonly busyMs: number },
  originMs: number,
): Pick<TimedVisit, "startMs" | "runMs" | "endMs"> {
  return { startMs: startMs - originMs, runMs: endMs - busyMs - originMs, endMs: endMs - originMs };
}

/** The times of a visit, its hops included. Milliseconds since the epoch. */
export interface Span {
  readonly startMs: number;
  readonly endMs: number;
  /** Its duration in a replay: without the wait for a connection, which the pool adds by itself. */
  readonly busyMs: number;
}

/** A day. A longer duration is an error of the recorder. */
const longestMs = 86_400_000;

/**
 * Returns the times of a visit; null if the capture has no date for it. Without a duration it ends when it
 * starts.
 */
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

/** Returns true if the capture has the start and duration of a visit. */
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

/**
 * Returns the time without the wait for a connection. If a recorder does not know the parts of a duration,
 * all of it counts.
 */
function busyMsOf(entry: CaptureEntry): number {
  const busyMs = partsOf(entry);
  const durationMs = durationOf(entry) ?? 0;
  return busyMs + entry.timings.blockedMs >= durationMs / 2 ? busyMs : durationMs;
}

function partsOf({ timings }: CaptureEntry): number {
  return timings.dnsMs + timings.connectMs + timings.sendMs + timings.waitMs + timings.receiveMs;
}

const readOnly = new Set(["GET", "HEAD"]);

/**
 * Returns true for a script's call, or a request that sends data: it may depend on any earlier response. Everything else
 * is a file of the page.
 */
export function isCall({ entry, url }: Visit): boolean {
  return !readOnly.has(entry.request.method) || resourceTypeOf(entry, url) === "xhr";
}
