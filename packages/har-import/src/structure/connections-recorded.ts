import type { Visit } from "../visit.ts";
import { perHost } from "./connection-slots.ts";
import { type Interval, mostAtOnce } from "./most-at-once.ts";
import { isTimed, spanOf } from "./span.ts";
import { replayedOf } from "./timed-visit.ts";

/** Clocks of recorders overlap a little. */
const overlapMs = 20;
/** No page has more on its way at a time: the dates are rounded, or all the same. */
const mostConnections = 100;

/**
 * How many connections to one host a replay has to have, so that requests over HTTP/1 overlap as recorded: a browser's
 * six. More where the recorder does not tell the browser's queue from the wait for an answer: whoever answers as slowly
 * as recorded must not make requests queue once more.
 */
export function connectionsRecorded(visits: readonly Visit[]): number {
  const byOrigin = new Map<string, Interval[]>();
  for (const visit of visits) {
    const { origin, isMultiplexed, busyMs } = replayedOf(visit);
    const span = spanOf(visit);
    if (isMultiplexed || span === null || busyMs <= overlapMs || !isTimed(visit)) continue;
    const intervals = byOrigin.get(origin) ?? [];
    intervals.push([span.endMs - busyMs, span.endMs - overlapMs]);
    byOrigin.set(origin, intervals);
  }
  const most = [...byOrigin.values()].reduce(
    (highest, intervals) => Math.max(highest, mostAtOnce(intervals)),
    0,
  );
  return Math.min(mostConnections, Math.max(perHost, most));
}
