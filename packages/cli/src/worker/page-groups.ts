import { StopSignal } from "@bearhug/sdk";

import type { Clock } from "../pacing/clock.ts";
import type { SessionPlace } from "../http/session/session.ts";
import { places } from "./place.ts";
import { RequestFault } from "../http/request/request-fault.ts";
import type { Vu } from "./vu.ts";

/** Runs the body as a page: its samples carry the page's tag; its time and bytes are recorded when it ends. */
export async function visitPage<R>(
  clock: Clock,
  vu: Vu,
  name: string,
  body: () => R | PromiseLike<R>,
): Promise<R> {
  const { scope, page, environment } = vu.place();
  if (page !== null)
    throw new RequestFault("INVALID_REQUEST", `page("${name}"): pages do not nest. Use group inside a page.`);
  const visit = { bytesReceived: 0 };
  const place = { scope: scope.page(name), page: visit, environment };
  return timed(clock, place, body, (durationMs) => {
    const { series } = place.scope;
    series.counter("pages").add(1);
    series.trend("page_duration").add(durationMs);
    series.trend("page_bytes").add(visit.bytesReceived);
  });
}

/** Runs the body as a group: its samples carry the group's tag, and its time is recorded when it ends. */
export async function visitGroup<R>(
  clock: Clock,
  vu: Vu,
  name: string,
  body: () => R | PromiseLike<R>,
): Promise<R> {
  const { scope, page, environment } = vu.place();
  const place = { scope: scope.group(name), page, environment };
  return timed(clock, place, body, (durationMs) => {
    place.scope.series.trend("group_duration").add(durationMs);
  });
}

/** A body that throws took its time all the same; one that was interrupted says nothing. */
async function timed<R>(
  clock: Clock,
  place: SessionPlace,
  body: () => R | PromiseLike<R>,
  record: (durationMs: number) => void,
): Promise<R> {
  const startedAt = clock.now();
  try {
    const result = await places.run(place, body);
    record(clock.now() - startedAt);
    return result;
  } catch (error) {
    if (!StopSignal.isStopSignal(error)) record(clock.now() - startedAt);
    throw error;
  }
}
