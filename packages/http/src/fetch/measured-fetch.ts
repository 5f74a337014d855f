import type { Place } from "@bearhug/plan/clients/client";
import { asError } from "@bearhug/plan/protocol/read-thrown";
import type { FetchOptions, Http } from "@bearhug/sdk";
import { isPlain } from "@bearhug/text/describe-value";
import {
  fetch,
  Request,
  setGlobalDispatcher,
  type Dispatcher,
  type RequestInfo,
  type RequestInit,
} from "undici";

import type { Origin } from "../net/origin.ts";
import { isPlainPath } from "../request/address.ts";
import { mayMissValue, type MissingValues } from "../request/missing-values.ts";
import { lookAtBody, type ValueRules } from "../request/look-at-options.ts";
import { pairsOf } from "../request/pairs.ts";
import { readOptions } from "../request/validate-options.ts";
import { RequestFault } from "../request/request-fault.ts";
import type { ActiveSpan } from "../request/traceparent.ts";
import type { Session } from "../session/session.ts";
import { keepDispatchers } from "./default-dispatchers.ts";
import { dispatchFor, type Caller, callerOf, EngineDispatcher, spanAt, Trail } from "./engine-dispatcher.ts";

/** The options of `fetch` that bearhug reads. Others are passed on. */
type MeasuredInit = FetchOptions & { readonly dispatcher?: object };

/**
 * Calls undici's `fetch` over the connections of a VU. `around` sends requests to hosts that the test does
 * not list; if it is null, they are rejected.
 */
export function measuredFetch(
  session: Session,
  input: RequestInfo,
  init: MeasuredInit,
  around: Dispatcher | null,
): ReturnType<typeof fetch> {
  const { vu } = session;
  if (vu.isStopped) return vu.refuse();
  // Counted from the call on, because `fetch` dispatches later.
  vu.onCall();
  // `finally` or an async function would create two more promises for each request. The promise of `then` is
  // returned, because the original one counts as handled, so a failure that the test never awaits would go
  // unnoticed.
  return attempt(() => fetchAs(session, input, init, around)).then(
    (response) => {
      vu.onCallEnded();
      return response;
    },
    (error: unknown) => {
      vu.onCallEnded();
      throw error;
    },
  );
}

function fetchAs(
  session: Session,
  input: RequestInfo,
  init: MeasuredInit,
  around: Dispatcher | null,
): ReturnType<typeof fetch> {
  // A Request as options has no properties of its own.
  if (init instanceof Request) {
    const { baseUrl } = session.environmentAt(session.vu.place());
    return fetchAs(session, new Request(completed(input, baseUrl), init as Request), {}, around);
  }
  const place = placeOf(session, init);
  const { baseUrl, mask, missingValues } = session.environmentAt(place);
  const given = typeof input === "object" && "url" in input ? input.url : String(input);
  if (missingValues !== null) {
    if (mayMissValue(given)) missingValues.refuseAddress((init as RequestInit).method ?? "GET", given);
    refuseMissing(input, init as RequestInit, { seen: mask.seen, missingValues });
  }
  const address = completed(input, baseUrl);
  if (init.dispatcher !== undefined) return fetch(address, init as RequestInit);
  const dispatcher = new FetchCall(session, place, init.name, around);
  if (address instanceof Request) return fetchAsGlobal(address, init as RequestInit, dispatcher);
  return fetch(address, { ...init, dispatcher } as object);
}

/**
 * Looks at what a call gives before `fetch` converts it: its error would not lead to the test's line. Invalid
 * arguments are left to `fetch`.
 * @throws {RequestFault} if a value is missing
 */
function refuseMissing(
  input: RequestInfo,
  { headers, body }: RequestInit,
  rules: ValueRules & { readonly missingValues: MissingValues },
): void {
  const given: unknown = headers ?? (typeof input === "object" && "headers" in input ? input.headers : null);
  if (typeof given === "object" && given !== null) {
    const pairs: Iterable<unknown> = pairsOf(given as Readonly<Record<string, unknown>>);
    for (const pair of pairs) {
      if (!Array.isArray(pair)) continue;
      const [name, value] = pair as unknown[];
      rules.missingValues.refuseHeader(String(name), String(value));
    }
  }
  // `fetch` sends the text of an object that it cannot iterate.
  const isText =
    isPlain(body) && !(Symbol.asyncIterator in body) && body.toString === Object.prototype.toString;
  lookAtBody(isText ? "[object Object]" : body, rules);
}

/**
 * Calls `fetch` with a dispatcher as the default for a Request without one. Only undici can see a Request's
 * dispatcher, so this sets the global one, which `fetch` reads synchronously.
 */
function fetchAsGlobal(request: Request, init: RequestInit, dispatcher: FetchCall): ReturnType<typeof fetch> {
  const restoreDispatchers = keepDispatchers();
  setGlobalDispatcher(dispatcher as object as Dispatcher);
  try {
    return fetch(request, init);
  } finally {
    restoreDispatchers();
  }
}

/** Turns a thrown error into a rejection, because `fetch` never throws. */
function attempt(call: () => ReturnType<typeof fetch>): ReturnType<typeof fetch> {
  try {
    return call();
  } catch (error) {
    return Promise.reject(asError(error));
  }
}

function placeOf(session: Session, { name, tags, dispatcher }: MeasuredInit): Place {
  const place = session.vu.place();
  if (name === undefined && tags === undefined) return place;
  if (dispatcher !== undefined) throw withOwnDispatcher();
  readOptions({ name, tags }, session.environmentAt(place).options);
  return tags === undefined ? place : { ...place, scope: place.scope.with(tags) };
}

/**
 * The dispatcher of one call and its redirects. Default headers and credentials that are bound to an origin
 * are only sent to the first one. It has only the part of a `Dispatcher` that `fetch` uses: undici's class is
 * an event emitter, which is costly to create.
 */
class FetchCall implements Caller {
  readonly session: Session;
  readonly place: Place;
  readonly name: string | undefined;
  readonly isFetch = true;
  readonly span: ActiveSpan | null;
  readonly trail: Trail = new Trail();
  readonly #around: Dispatcher | null;
  #called: string | null = null;

  constructor(session: Session, place: Place, name: string | undefined, around: Dispatcher | null) {
    this.session = session;
    this.place = place;
    this.name = name;
    this.span = spanAt(session, place);
    this.#around = around;
  }

  mayTrust({ text }: Origin): boolean {
    this.#called ??= text;
    return text === this.#called;
  }

  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    return dispatchFor(this, this.#around, options, handler);
  }
}

/** Resolves an address against the base URL, because `fetch` only accepts absolute ones. */
export function completed(input: RequestInfo, baseUrl: string | null): RequestInfo {
  if (typeof input !== "string" || baseUrl === null || /^[a-z][a-z\d+.-]*:/i.test(input)) return input;
  return isPlainPath(input) ? originOf(baseUrl) + input : (URL.parse(input, baseUrl)?.href ?? input);
}

const origins = new Map<string, string>();

/** Returns the cached origin of a base URL. There are only a few of them. */
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

/** The parts of `http` that use undici. */
export type FetchClient = Pick<Http, "fetch" | "dispatcher">;

type Fetch = FetchClient["fetch"];

/** Creates a VU's `fetch` and dispatcher. */
export function createFetchClient(session: Session): FetchClient {
  const dispatcher: Dispatcher = new EngineDispatcher(() => callerOf(session), null);
  // Tests see the types of their Node's undici, which differ from ours by the additions of newer versions.
  const fetch = (
    input: Parameters<Fetch>[0],
    init: Parameters<Fetch>[1] & FetchOptions = {},
  ): ReturnType<typeof measuredFetch> => measuredFetch(session, input as RequestInfo, init, null);
  return { fetch, dispatcher: dispatcher as FetchClient["dispatcher"] };
}
