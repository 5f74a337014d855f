import type { Place } from "@bearhug/plan/clients/client";
import { protocols, type ValidatedHttp } from "@bearhug/plan/http-options/validated-http";
import { asError } from "@bearhug/plan/protocol/read-thrown";
import { BearhugError } from "@bearhug/sdk";
import { Dispatcher, Dispatcher1Wrapper, errors } from "undici";

import type { Origin } from "../net/origin.ts";
import { botChallenge } from "../exchange/bot-challenge.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { HttpEnvironment } from "../http-environment.ts";
import type { Endpoint } from "../request/endpoint.ts";
import { noteArrival, noteDroppedBody } from "../exchange/note-arrival.ts";
import { Draft, isSigning } from "../request/draft.ts";
import { lookAtBody, lookAtHeaders } from "../request/look-at-options.ts";
import { invalid } from "../request/request-fault.ts";
import { defaultsForOtherOrigin, withVariantHeaders } from "../request/request-headers.ts";
import { originHeader, withSiteAddresses } from "../request/site-headers.ts";
import { activeSpan, traceHeader, type ActiveSpan } from "../request/traceparent.ts";
import { RawResponseHeaders } from "../response/response-headers.ts";
import { cookieHeader, takeRejected } from "../session/cookies.ts";
import { nextHop } from "../request/redirects.ts";
import type { Session } from "../session/session.ts";
import { unsentError } from "./dispatch-error.ts";
import { dispatchedAddress, bodyOf, headersOf } from "./dispatched-request.ts";
import { noteRequestSent } from "./replaced-fetch.ts";
import {
  isOldHandler,
  validateDispatch,
  validateHandler,
  type EngineDispatchOptions,
} from "./validate-dispatch.ts";
import { ResponseStream } from "./response-stream.ts";
import { StreamedExchange } from "./streamed-exchange.ts";

/** The session that a dispatcher sends requests for, and the place where they are counted. */
export interface Caller {
  readonly session: Session;
  readonly place: Place;
  /** The name of the requests; undefined if each is named by its address. */
  readonly name: string | undefined;
  /** Returns true for an origin that may receive the test's default credentials. */
  mayTrust(origin: Origin): boolean;
  /** True if undici's own `fetch` calls directly, without another dispatcher in between. */
  readonly isFetch: boolean;
  readonly span: ActiveSpan | null;
  /** The requests so far of a call that follows redirects; null for independent requests. */
  readonly trail: Trail | null;
}

/** The requests of a call, each after a redirect of the one before. */
export class Trail {
  #first: Endpoint | null = null;
  #last: { readonly endpoint: Endpoint; readonly status: number } | null = null;

  /** Notes the next request, before it is sent. */
  noteNext(to: Endpoint, { name }: Caller, environment: HttpEnvironment): void {
    this.#first ??= to;
    if (this.#last === null) return;
    noteDroppedBody(environment, { from: this.#last.endpoint, to, name }, this.#last.status);
  }

  /** Notes how a request ended. */
  noteEnd({ request, status, error }: Exchange, { place, name }: Caller, environment: HttpEnvironment): void {
    const to = request.endpoint;
    const from = this.#first;
    this.#last = { endpoint: to, status };
    if (from === null || from === to || status !== 200 || error !== null) return;
    if (environment.options.expect === null) noteArrival(environment, place, { from, to, name });
  }
}

/** Returns the caller for a VU's own dispatcher, whose requests are independent of each other. */
export function callerOf(session: Session): Caller {
  const place = session.vu.place();
  const span = spanAt(session, place);
  return { session, place, name: undefined, mayTrust: () => true, isFetch: false, span, trail: null };
}

/** Returns the test's active span; null if there is none, or if requests from the place have no trace header. */
export function spanAt(session: Session, place: Place): ActiveSpan | null {
  return session.environmentAt(place).options.traceparent ? activeSpan() : null;
}

/** A request outside of any VU's code: it could not be measured, and the hard stop would not end it. */
class FetchOutsideIteration extends BearhugError {
  override readonly name = "FetchOutsideIteration";
  readonly code = "FETCH_OUTSIDE_ITERATION";

  constructor() {
    super(
      "A request was sent outside of an iteration, setup and teardown, where there is no virtual user to send it. Send it in one of these, or set allowUnmeasured: true to let it through unmeasured.",
    );
  }
}

/**
 * The engine as an undici `Dispatcher`: each dispatched request is a request of a VU, measured, guarded and
 * counted like one of `http.get`.
 */
export class EngineDispatcher extends Dispatcher {
  readonly #caller: () => Caller | null;
  readonly #around: Dispatcher | null;

  /**
   * `caller` is called for each request; it returns null if no VU's code is running. `around` sends requests
   * that are not the engine's. Without it, these are rejected: to hosts that the test does not list, or
   * without a caller.
   */
  constructor(caller: () => Caller | null, around: Dispatcher | null) {
    super();
    this.#caller = caller;
    this.#around = around;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    // Handlers of undici 7 and before have other methods.
    if (isOldHandler(handler)) return new Dispatcher1Wrapper(this).dispatch(options, handler);
    validateHandler(handler);
    return dispatchFor(this.#caller(), this.#around, options, handler);
  }

  /** Does nothing: the connections belong to the VU, and are closed with it. */
  override close(callback?: () => void): Promise<void> {
    return settled(callback);
  }

  override destroy(error?: Error | null | (() => void), callback?: () => void): Promise<void> {
    return settled(typeof error === "function" ? error : callback);
  }
}

/** Sends a request for a caller, or with `around`: see `EngineDispatcher`. */
export function dispatchFor(
  caller: Caller | null,
  around: Dispatcher | null,
  options: Dispatcher.DispatchOptions,
  handler: Dispatcher.DispatchHandler,
): boolean {
  noteRequestSent();
  if (around !== null && !isNamed(caller, options)) return around.dispatch(options, handler);
  if (caller === null) throw new FetchOutsideIteration();
  const { session, place } = caller;
  const stream = new ResponseStream(handler, session, session.environmentAt(place), caller.isFetch);
  if (session.vu.isStopped) {
    session.vu.refuse().catch((signal: unknown) => {
      stream.fail(asError(signal));
    });
  } else {
    try {
      const draft = draftOf(options, caller, stream);
      if (stream.begin()) send(draft, caller, stream);
      else {
        draft.abandon();
        stream.fail(stream.reason ?? new errors.RequestAbortedError());
      }
    } catch (error) {
      stream.fail(unsentError(asError(error)));
    }
  }
  return true;
}

function environmentOf({ session, place }: Caller): HttpEnvironment {
  return session.environmentAt(place);
}

function isNamed(caller: Caller | null, { origin }: Dispatcher.DispatchOptions): boolean {
  const url = origin === undefined ? null : URL.parse(String(origin));
  return caller !== null && url !== null && environmentOf(caller).endpoints.names(url);
}

async function settled(callback: (() => void) | undefined): Promise<void> {
  await Promise.resolve();
  callback?.();
}

function draftOf(request: EngineDispatchOptions, caller: Caller, stream: ResponseStream): Draft {
  const environment = environmentOf(caller);
  const { endpoints, random, mask, defaultHeaders, variantHeaders, options, missingValues } = environment;
  const { method, body } = request;
  validateDispatch(request);
  const address = dispatchedAddress(request);
  const known = endpoints.get(method, address, true);
  // `fetch` has already checked the test's request; the addresses of redirects come from the server.
  if (!caller.isFetch) {
    if (known.mayMissValue) missingValues?.refuseAddress(method, address);
    lookAtBody(body, { seen: mask.seen, missingValues });
  }
  if (environment.faultyDefaults !== null) throw invalid(environment.faultyDefaults);
  const endpoint = request.allowH2 === false ? withoutHttp2(known, options.protocol) : known;
  const isTrusted = caller.mayTrust(endpoint.origin);
  const defaults = isTrusted ? defaultHeaders : defaultsForOtherOrigin(defaultHeaders);
  const given = headersOf(request, defaults);
  const isVaried = isTrusted && variantHeaders.length > 0;
  const own = isTrusted && options.origin ? withSiteAddresses(method, given, endpoints) : given;
  const headers = isVaried ? withVariantHeaders(own, variantHeaders) : own;
  lookAtHeaders(headers, mask.seen);
  // A client signs requests itself, and it is the client that must send the second request for a challenge.
  const auth = !isTrusted || options.auth === null || isSigning(options.auth) ? undefined : options.auth;
  const encoded = bodyOf(body, headers, random, stream);
  return new Draft(endpoint, { headers, auth }, encoded, defaults, missingValues);
}

function withoutHttp2(endpoint: Endpoint, protocol: ValidatedHttp["protocol"]): Endpoint {
  if (protocols[protocol].version === "HTTP/2") {
    throw new errors.InvalidArgumentError(
      `allowH2: false is HTTP/1.1, but the test's protocol is "${protocol}"`,
    );
  }
  // Without TLS there is nothing to negotiate.
  return endpoint.origin.isSecure && protocol === "auto" ? endpoint.withoutHttp2() : endpoint;
}

function send(draft: Draft, caller: Caller, stream: ResponseStream): void {
  const { session, place, name, span, trail } = caller;
  const environment = session.environmentAt(place);
  const { clock, endpoints, limits, options, recorder } = environment;
  const { endpoint } = draft;
  const { cookies } = session.visitor;
  const row = name === undefined ? endpoints.rowOf(endpoint) : endpoints.row(name);
  const rejected = takeRejected(cookies, draft);
  if (rejected !== null) recorder.recordRejectedCookie(rejected, endpoint, row, clock.now());
  trail?.noteNext(endpoint, caller, environment);
  const request = {
    endpoint,
    wire: draft.wire([
      ...cookieHeader(cookies, draft),
      ...(options.traceparent ? traceHeader(draft, span) : []),
      ...(options.origin ? originHeader(draft) : []),
    ]),
    row,
    limits: { ...limits, discardsBody: true },
    latenessMs: session.vu.takeLateness(),
    stream,
  };
  const { dependencies, inFlight } = session;
  session.vu.onCall();
  const exchange = new StreamedExchange(request, dependencies, {
    onSettled: (ended) => {
      inFlight.delete(ended);
      try {
        const expect = isRedirect(ended) ? null : options.expect;
        const { mask, decodedSizes } = environment;
        const fault = botChallenge(ended, mask);
        recorder.conclude(ended, session.vu, place, expect, fault, decodedSizes);
        if (fault === null) trail?.noteEnd(ended, caller, environment);
        // Closing a stream that the test supplied may throw, but the call still ends.
        draft.abandon();
      } catch (error) {
        stream.abort(error);
      }
      stream.onOver(ended, () => {
        session.vu.onCallEnded();
      });
    },
  });
  inFlight.add(exchange);
  stream.onStart(exchange);
  exchange.begin();
}

/** Returns true for a redirect: `expect` applies to its target, whether undici or the test follows it. */
function isRedirect({ head, status, request: { endpoint } }: Exchange): boolean {
  if (head === null || status < 300 || status > 399) return false;
  const location = new RawResponseHeaders(head.rawHeaders()).get("location");
  return nextHop(status, location, endpoint.method, endpoint.url) !== null;
}
