import { StopSignal, type FetchOptions } from "@bearhug/sdk";
import { fetch, Request, type Dispatcher, type RequestInfo, type RequestInit } from "undici";

import type { Place } from "../../clients/client.ts";
import { isPlainPath } from "../request/address.ts";
import { readOptions } from "../request/validate-options.ts";
import { RequestFault } from "../request/request-fault.ts";
import type { Session } from "../session/session.ts";
import { EngineDispatcher, type Caller } from "./engine-dispatcher.ts";

/** Options of `fetch`, whoever's: of its own only these are looked at. */
type MeasuredInit = FetchOptions & { readonly dispatcher?: object };

/** undici's `fetch` over the connections of a VU. `around` takes requests to hosts that the test does not name; null refuses them. */
export async function measuredFetch(
  session: Session,
  input: RequestInfo,
  init: MeasuredInit,
  around: Dispatcher | null,
): ReturnType<typeof fetch> {
  if (session.vu.isStopped) throw new StopSignal();
  // A Request as options has no properties of its own.
  if (init instanceof Request) return measuredFetch(session, new Request(input, init as Request), {}, around);
  // From the call on: `fetch` dispatches later.
  session.vu.onCall();
  try {
    const place = placeOf(session, init);
    const address = completed(input, session.environmentAt(place).baseUrl);
    const dispatcher = init.dispatcher ?? new EngineDispatcher(callerFor(session, place, init.name), around);
    return await fetch(address, { ...init, dispatcher } as RequestInit);
  } finally {
    session.vu.onCallEnded();
  }
}

function placeOf(session: Session, { name, tags, dispatcher }: MeasuredInit): Place {
  const place = session.vu.place();
  if (name === undefined && tags === undefined) return place;
  if (dispatcher !== undefined) throw withOwnDispatcher();
  readOptions({ name, tags }, session.environmentAt(place).options);
  return tags === undefined ? place : { ...place, scope: place.scope.with(tags) };
}

/** For one call and its redirects: what the test sends for itself stays with the origin that it called. */
function callerFor(session: Session, place: Place, name: string | undefined): () => Caller {
  let called: string | null = null;
  const caller: Caller = {
    session,
    place,
    name,
    mayTrust: ({ text }) => text === (called ??= text),
    isFetch: true,
  };
  return () => caller;
}

/** `fetch` takes complete addresses only. */
export function completed(input: RequestInfo, baseUrl: string | null): RequestInfo {
  if (typeof input !== "string" || baseUrl === null || /^[a-z][a-z\d+.-]*:/i.test(input)) return input;
  return isPlainPath(input) ? originOf(baseUrl) + input : (URL.parse(input, baseUrl)?.href ?? input);
}

const origins = new Map<string, string>();

/** Base URLs are few. */
function originOf(baseUrl: string): string {
  let origin = origins.get(baseUrl);
  if (origin === undefined) origins.set(baseUrl, (origin = new URL(baseUrl).origin));
  return origin;
}

function withOwnDispatcher(): RequestFault {
  return new RequestFault(
    "INVALID_REQUEST",
    "fetch: name and tags can't be given together with a dispatcher. Leave the dispatcher out.",
  );
}
