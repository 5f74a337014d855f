import type { Visit } from "../visit.ts";
import type { Replayed } from "./connection-slots.ts";
import { isCall } from "./request-kind.ts";
import { isTimed, spanOf } from "./span.ts";

/** A visit in its step: milliseconds from the first start on. */
export interface TimedVisit extends Replayed {
  readonly visit: Visit;
  /** When the browser wanted it. */
  readonly startMs: number;
  /** When it had what it waited for, so that its end is as recorded. */
  readonly runMs: number;
  readonly endMs: number;
  readonly isCall: boolean;
  /** A call with another one after it, which may say what this one was answered. */
  readonly isAwaited: boolean;
}

/** null where the capture does not tell the times of a step. */
export function timeVisits(visits: readonly Visit[]): TimedVisit[] | null {
  const spans = visits.map(spanOf);
  if (spans.includes(null) || !visits.some(isTimed)) return null;
  const originMs = spans.reduce((earliest, span) => Math.min(earliest, span?.startMs ?? earliest), Infinity);
  const lastCall = visits.findLast(isCall);
  const lastCallMs = (lastCall && spanOf(lastCall)?.startMs) ?? -Infinity;
  return visits.flatMap((visit, index): TimedVisit[] => {
    const span = spans[index];
    if (span === null || span === undefined) return [];
    const call = isCall(visit);
    const isAwaited = call && span.endMs <= lastCallMs;
    return [{ ...replayedOf(visit), visit, ...timesOf(span, originMs), isCall: call, isAwaited }];
  });
}

/** What replaying a visit asks of the connections. Redirects elsewhere count where the chain began. */
export function replayedOf(visit: Visit): Replayed {
  const { protocol } = visit.entry;
  return {
    origin: visit.url.origin,
    isMultiplexed: protocol === "http/2" || protocol === "http/3",
    busyMs: spanOf(visit)?.busyMs ?? 0,
  };
}

function timesOf(
  { startMs, endMs, busyMs }: { readonly startMs: number; readonly endMs: number; readonly busyMs: number },
  originMs: number,
): Pick<TimedVisit, "startMs" | "runMs" | "endMs"> {
  return { startMs: startMs - originMs, runMs: endMs - busyMs - originMs, endMs: endMs - originMs };
}
