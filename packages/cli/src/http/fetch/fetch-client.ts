import { StopSignal, type FetchOptions, type Http } from "@bearhug/sdk";
import { fetch, Request, type Dispatcher, type RequestInfo, type RequestInit } from "undici";

import { judgeOptions } from "../request/judge-options.ts";
import { RequestFault } from "../request/request-fault.ts";
import type { Session, SessionPlace } from "../session/session.ts";
import { EngineDispatcher, type Caller } from "./engine-dispatcher.ts";

/** The parts of `http` that are undici's. */
export type FetchClient = Pick<Http, "fetch" | "dispatcher">;

type Fetch = FetchClient["fetch"];
type MeasuredInit = NonNullable<Parameters<Fetch>[1]> & FetchOptions;

/** Makes a VU's `fetch` and dispatcher. */
export function createFetchClient(session: Session): FetchClient {
  const dispatcher: Dispatcher = new EngineDispatcher(() => {
    return { session, place: session.place(), name: undefined, mayTrust: () => true };
  });
  // Tests see the types of the undici in their Node, which differ from ours in what newer versions add.
  const measured = (
    input: Parameters<Fetch>[0],
    init: MeasuredInit = {},
  ): ReturnType<typeof measuredFetch> =>
    init instanceof Request
      ? measuredFetch(session, new Request(input as RequestInfo, init), {})
      : measuredFetch(session, input as RequestInfo, init);
  return { fetch: measured, dispatcher: dispatcher as FetchClient["dispatcher"] };
}

async function measuredFetch(
  session: Session,
  input: RequestInfo,
  init: MeasuredInit,
): ReturnType<typeof fetch> {
  if (session.isStopped) throw new StopSignal();
  // From the call on: `fetch` dispatches later.
  session.onCall();
  try {
    const place = placeOf(session, init);
    const address = typeof input === "string" ? completed(input, place.environment.baseUrl) : input;
    const dispatcher = init.dispatcher ?? dispatcherOf(session, place, init.name);
    return await fetch(address, { ...init, dispatcher } as RequestInit);
  } finally {
    session.onCallEnded();
  }
}

function placeOf(session: Session, { name, tags, dispatcher }: MeasuredInit): SessionPlace {
  const place = session.place();
  if (name === undefined && tags === undefined) return place;
  if (dispatcher !== undefined) throw withOwnDispatcher();
  judgeOptions({ name, tags });
  return tags === undefined ? place : { ...place, scope: place.scope.with(tags) };
}

/** For one call and its redirects: what the test sends for itself stays with the origin that it called. */
function dispatcherOf(session: Session, place: SessionPlace, name: string | undefined): EngineDispatcher {
  let called: string | null = null;
  const caller: Caller = {
    session,
    place,
    name,
    mayTrust: ({ text }) => text === (called ??= text),
  };
  return new EngineDispatcher(() => caller);
}

/** `fetch` takes complete addresses only. */
function completed(address: string, baseUrl: string | null): string {
  if (baseUrl === null || /^[a-z][a-z\d+.-]*:/i.test(address)) return address;
  return URL.parse(address, baseUrl)?.href ?? address;
}

function withOwnDispatcher(): RequestFault {
  return new RequestFault(
    "INVALID_REQUEST",
    "fetch: name and tags can't be given together with a dispatcher. Leave the dispatcher out.",
  );
}
