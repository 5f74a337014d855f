import type { Place } from "@bearhug/plan/clients/client";
import type { ValidatedHttp } from "@bearhug/plan/http-options/validated-http";
import { asError } from "@bearhug/plan/protocol/read-thrown";
import {
  RequestFailedError,
  StopSignal,
  type DigestAuth,
  type RequestOptions,
  type Response,
} from "@bearhug/sdk";
import { watchExtractions } from "@bearhug/sdk/internal";

import { botChallenge } from "./exchange/bot-challenge.ts";
import { Exchange, type ExchangeCaller, type ExchangeRequest } from "./exchange/exchange.ts";
import type { MaskedFailure } from "./failures/failure-info.ts";
import type { HttpEnvironment } from "./http-environment.ts";
import { noteArrival, noteDroppedBody, type RedirectedRequest } from "./exchange/note-arrival.ts";
import { noteRefusal } from "./exchange/note-refusal.ts";
import { addressOf, withParams } from "./request/address.ts";
import { Draft, noOptions } from "./request/draft.ts";
import { methodOf } from "./request/endpoint-cache.ts";
import type { Endpoint } from "./request/endpoint.ts";
import { type Expectation, isExpectedStatus } from "./exchange/exchange-recorder.ts";
import { lookAtOptions } from "./request/look-at-options.ts";
import { invalid } from "./request/request-fault.ts";
import { type ExchangeLimits, limitsOf } from "./request/request-limits.ts";
import { originHeader } from "./request/site-headers.ts";
import { activeSpan, traceHeader, type ActiveSpan } from "./request/traceparent.ts";
import { readOptions } from "./request/validate-options.ts";
import { RawResponseHeaders } from "./response/response-headers.ts";
import { ExchangeResponse, type ReceivedResponse } from "./response/response.ts";
import type { BrowserCache } from "./session/browser-cache.ts";
import { CacheVisit } from "./session/cache-visit.ts";
import { cookiesOf } from "./session/cookie-access.ts";
import { cookieHeader, keepCookies, takeRejected, type Cookies, type OwnCookies } from "./session/cookies.ts";
import { RedirectChain } from "./session/redirect-chain.ts";
import type { Session } from "./session/session.ts";

/** The arguments of a call. */
export interface GivenCall {
  readonly method: unknown;
  readonly url: unknown;
  readonly options: RequestOptions;
  /** The merged, validated options; null if `options` have not been read yet. */
  readonly http: ValidatedHttp | null;
}

/** Callbacks that settle the promise that the test awaits. */
export interface PromiseHandlers {
  readonly resolve: (response: Response | Promise<never>) => void;
  readonly reject: (error: Error) => void;
}

const noHeaders: readonly string[] = [];
const idempotent = new Set(["GET", "HEAD", "OPTIONS", "PUT", "DELETE"]);
const unauthorized: Expectation = [{ min: 401, max: 401 }];

/**
 * One call by the test: its request, and the redirects, logins and retries that follow, up to the response.
 * The only promise is the one that the test awaits: creating a promise costs as much as reading a response.
 *
 * | state     | event                                               | step           | next state                        |
 * | --------- | --------------------------------------------------- | -------------- | --------------------------------- |
 * | visiting  | the browser's cache has a fresh response            | `#visit`       | arrived                           |
 * | visiting  | no response, or a stale one to revalidate; no cache | `#request`     | sent                              |
 * | sent      | its exchange has ended                              | `#conclude`    | sent again for a login or a stale connection (each once per address), else responded |
 * | responded | the cache stores it, or a 304 confirms its entry    | `#finishVisit` | arrived                           |
 * | arrived   | it redirects, and may be followed                   | `#arrive`      | visiting, at the next address     |
 * | arrived   | it does not                                         | `#arrive`      | over                              |
 * | any       | something throws, or the run stops                  | `#fail`        | over                              |
 */
export class Call implements ExchangeCaller {
  readonly #session: Session;
  readonly #promise: PromiseHandlers;
  readonly #options: RequestOptions;
  readonly #http: ValidatedHttp;
  readonly #limits: ExchangeLimits;
  /** Null if cookies are off. */
  readonly #cookies: Cookies | null;
  readonly #place: Place;
  readonly #environment: HttpEnvironment;
  /** The test's tracing span at the call. Redirects and retries run outside the test's async context. */
  readonly #span: ActiveSpan | null;
  readonly #first: Draft;
  /** The current request. */
  #draft: Draft;
  /** Null until a response redirects. */
  #chain: RedirectChain | null = null;
  /** The cache lookup for the current request; null without a cache. */
  #cacheVisit: CacheVisit | null = null;
  /** True once a digest challenge for this draft has been answered: a second challenge is not. */
  #hasLoggedIn = false;
  /** The failure of the last response if it came from a bot filter; otherwise null. */
  #botChallenge: MaskedFailure | null = null;
  #isRetry = false;

  /** @throws {RequestFault} for what cannot be sent */
  constructor(
    session: Session,
    { method: givenMethod, url, options, http }: GivenCall,
    promise: PromiseHandlers,
  ) {
    const method = methodOf(givenMethod);
    const place = session.vu.place();
    const environment = session.environmentAt(place);
    const { endpoints, missingValues, faultyDefaults, limits, mask, options: defaults } = environment;
    const hasOptions = options !== noOptions;
    this.#session = session;
    this.#promise = promise;
    this.#options = options;
    this.#http = http ?? (hasOptions ? readOptions(options, defaults) : defaults);
    const { tags, signal = null, params, rawPath: isRaw = false } = options;
    const { cookies } = session.visitor;
    this.#cookies = hasOptions ? cookiesOf(options, cookies) : cookies;
    this.#limits = this.#http === defaults && signal === null ? limits : limitsOf(this.#http, signal);
    const address = withParams(addressOf(url), params, isRaw);
    this.#place = tags === undefined ? place : { ...place, scope: place.scope.with(tags) };
    this.#environment = environment;
    this.#span = defaults.traceparent ? activeSpan() : null;
    const endpoint = endpoints.get(method, address, isRaw);
    if (endpoint.mayMissValue && !isRaw) missingValues?.refuseAddress(method, addressOf(url));
    if (faultyDefaults !== null) throw invalid(faultyDefaults);
    if (hasOptions) lookAtOptions(options, { seen: mask.seen, missingValues });
    this.#first = Draft.of(endpoint, options, this.#http, environment);
    this.#draft = this.#first;
  }

  begin(): void {
    try {
      this.#visit();
    } catch (error) {
      this.#fail(error);
    }
  }

  onSettled(exchange: Exchange): void {
    try {
      this.#conclude(exchange);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Fetches one address: from the cache if a browser would use it, otherwise with a request. */
  #visit(): void {
    this.#isRetry = false;
    this.#hasLoggedIn = false;
    const { cache } = this.#session.visitor;
    // Browsers never send raw paths, and the cache's key would be the normalized path.
    const visit = cache === null || this.#options.rawPath === true ? null : this.#lookInto(cache);
    const fresh = visit?.fresh ?? null;
    this.#cacheVisit = fresh === null ? visit : null;
    if (fresh === null) this.#request();
    else {
      this.#isFollowed(fresh);
      this.#arrive(fresh);
    }
  }

  #lookInto(cache: BrowserCache): CacheVisit {
    const draft = this.#draft;
    const request = {
      method: draft.endpoint.method,
      url: draft.endpoint.url,
      headers: draft.wire(this.#cookieHeader()).headers,
      discardsBody: this.#limits.discardsBody,
    };
    return new CacheVisit(cache, request, this.#environment.clock);
  }

  #request(): void {
    const { inFlight, dependencies } = this.#session;
    const exchange = new Exchange(this.#exchangeRequest(), dependencies, this);
    inFlight.add(exchange);
    exchange.begin();
  }

  #exchangeRequest(): ExchangeRequest {
    const draft = this.#draft;
    const { clock, recorder, options } = this.#environment;
    const { traceparent, origin } = options;
    const traceHeaders = traceparent ? traceHeader(draft, this.#span) : noHeaders;
    const originHeaders = origin ? originHeader(draft) : noHeaders;
    const sessionHeaders = joined(this.#cookieHeader(), this.#login(draft));
    const cacheHeaders = this.#cacheVisit?.conditions ?? noHeaders;
    const added = joined(joined(sessionHeaders, cacheHeaders), joined(traceHeaders, originHeaders));
    const row = this.#rowOf(draft.endpoint);
    const rejected = takeRejected(this.#cookies, draft, this.#ownCookies());
    if (rejected !== null) recorder.recordRejectedCookie(rejected, draft.endpoint, row, clock.now());
    return {
      endpoint: draft.endpoint,
      wire: draft.wire(added),
      row,
      limits: this.#limitsFor(draft.endpoint),
      latenessMs: this.#session.vu.takeLateness(),
    };
  }

  /** With variants, a body is kept now and then to measure its decoded size. */
  #limitsFor(endpoint: Endpoint): ExchangeLimits {
    const { decodedSizes } = this.#environment;
    if (decodedSizes === null || !this.#limits.discardsBody) return this.#limits;
    return decodedSizes.wantsBody(endpoint) ? { ...this.#limits, discardsBody: false } : this.#limits;
  }

  #rowOf(endpoint: Endpoint): ExchangeRequest["row"] {
    const { endpoints } = this.#environment;
    const { name } = this.#options;
    return name === undefined ? endpoints.rowOf(endpoint) : endpoints.row(name);
  }

  /**
   * Handles the end of a request, in this order: stores cookies, checks for a login and a redirect, records
   * the exchange; then sends the request again or handles the response.
   * @throws {StopSignal} if the hard stop ended it
   */
  #conclude(exchange: Exchange): void {
    const { inFlight, vu } = this.#session;
    const environment = this.#environment;
    inFlight.delete(exchange);
    keepCookies(this.#cookies, exchange, environment.mask);
    this.#botChallenge = botChallenge(exchange, environment.mask);
    const isChallenged = !this.#hasLoggedIn && this.#acceptsChallenge(exchange);
    const isFollowed = this.#isFollowed(exchange);
    const isConfirmed = exchange.status === 304 && (this.#cacheVisit?.conditions.length ?? 0) > 0;
    // `expect` applies only to the response that the test sees, not to a redirect or a 304 on the way to it.
    const expect = isChallenged ? unauthorized : isFollowed || isConfirmed ? null : this.#http.expect;
    const { recorder, decodedSizes } = environment;
    recorder.conclude(exchange, vu, this.#place, expect, this.#fault(), decodedSizes);
    if (environment.watchesSizes) recorder.watchSize(exchange);
    if (this.#chain !== null && !isFollowed) this.#noteRedirect(exchange);
    if (exchange.wasStopped) throw new StopSignal();
    if (isChallenged) {
      this.#hasLoggedIn = true;
      this.#request();
    } else if (this.#shouldRetry(exchange)) {
      this.#isRetry = true;
      this.#request();
    } else this.#finishVisit(exchange);
  }

  /** Hands the response to the cache, which stores it or returns the entry that a 304 confirmed. */
  #finishVisit(exchange: Exchange): void {
    const visit = this.#cacheVisit;
    if (visit === null || exchange.error !== null || this.#fault() !== null) {
      this.#arrive(exchange);
      return;
    }
    const received = visit.take(exchange);
    if (received.fromCache) this.#isFollowed(received);
    this.#arrive(received);
  }

  /** Notes a redirect that was not followed, unless `expect` lists its status: then the test wants it. */
  #noteRedirect(exchange: Exchange): void {
    const { expect } = this.#http;
    if (expect !== null && isExpectedStatus(exchange.status, expect)) return;
    this.#environment.recorder.recordRedirect(exchange, this.#place);
  }

  /** Returns the request that was redirected from an address to the current one. */
  #redirected(from: Endpoint): RedirectedRequest {
    return { from, to: this.#draft.endpoint, name: this.#options.name };
  }

  /** Notes where a redirected request ended, unless the test says by `expect` what it is about. */
  #noteArrival({ status, error }: ReceivedResponse): void {
    if (status !== 200 || error !== null || this.#http.expect !== null) return;
    noteArrival(this.#environment, this.#place, this.#redirected(this.#first.endpoint));
  }

  /** Notes a success that refuses what was sent, unless the test says by `expect` what it is about. */
  #noteRefusal(received: ReceivedResponse): void {
    const { status, whyNoBody } = received;
    // A redirect may have dropped the body.
    if (!this.#draft.hasBody || this.#http.expect !== null || whyNoBody !== null) return;
    if (status < 200 || status > 299) return;
    noteRefusal(this.#environment, { endpoint: this.#first.endpoint, options: this.#options, received });
  }

  /** Handles a response: follows its redirect, or delivers it to the test. */
  #arrive(received: ReceivedResponse): void {
    const hop = this.#chain?.hop ?? null;
    const fault = this.#fault();
    if (hop !== null && fault === null) {
      const from = this.#draft.endpoint;
      this.#draft = this.#draft.redirected(hop, this.#environment.endpoints.get(hop.method, hop.url.href));
      if (!hop.keepsBody) noteDroppedBody(this.#environment, this.#redirected(from), received.status);
      this.#visit();
    } else this.#deliver(received, fault);
  }

  /** Ends the call with the response, or with an error if `throwOnError` requires one. */
  #deliver(received: ReceivedResponse, fault: MaskedFailure | null): void {
    const { mask, tracer } = this.#environment;
    if (this.#draft !== this.#first && fault === null) this.#noteArrival(received);
    const response = new ExchangeResponse(received, mask, fault, this.#draft !== this.#first);
    if (fault === null) this.#noteRefusal(received);
    if (tracer !== null) {
      const { vu } = this.#session;
      watchExtractions(response, (extractor, value) => {
        tracer.extracted({ extractor, value, tags: vu.place().scope.tags }, mask);
      });
    }
    const { throwOnError, expect } = this.#http;
    if (throwOnError && (response.error !== null || !isExpectedStatus(response.status, expect)))
      this.#fail(new RequestFailedError(this.#rowOf(this.#first.endpoint).name, response));
    else this.#end(response, null);
  }

  /** Returns true if another request follows the response. */
  #isFollowed(received: ReceivedResponse): boolean {
    if (this.#chain === null) {
      if (received.status < 300 || received.status > 399) return false;
      const { endpoints, mask } = this.#environment;
      this.#chain = new RedirectChain(endpoints, this.#http.redirects, mask);
    }
    return this.#chain.takes(received, this.#draft);
  }

  /** The failure of a complete response: its redirect must not be followed, or it came from a bot filter. */
  #fault(): MaskedFailure | null {
    return this.#chain?.error ?? this.#botChallenge;
  }

  #cookieHeader(): readonly string[] {
    return cookieHeader(this.#cookies, this.#draft, this.#ownCookies());
  }

  /** Returns the cookies in the request's options, which are not sent on to redirect targets. */
  #ownCookies(): OwnCookies | undefined {
    return this.#draft === this.#first ? this.#options.cookies : undefined;
  }

  /** Returns the `authorization` header for the server's last digest challenge; empty if there was none. */
  #login(draft: Draft): readonly string[] {
    const login = digestOf(draft);
    if (login === null) return noHeaders;
    const value = this.#session.logins.authorization(login, draft.endpoint.plain);
    return value === null ? noHeaders : ["authorization", value];
  }

  /** Returns true for a challenge that sending the request again can answer, and remembers the challenge. */
  #acceptsChallenge({ error, status, head }: Exchange): boolean {
    const draft = this.#draft;
    const login = digestOf(draft);
    if (login === null || error !== null || status !== 401 || head === null || !draft.isRepeatable)
      return false;
    const challenges = new RawResponseHeaders(head.rawHeaders()).getAll("www-authenticate");
    return this.#session.logins.learn(
      login,
      draft.endpoint.origin.text,
      challenges,
      this.#environment.random,
    );
  }

  /** Returns true if the options allow a retry, there was none yet, and the request is safe to send twice. */
  #shouldRetry(exchange: Exchange): boolean {
    if (exchange.error === null || this.#isRetry || !this.#draft.isRepeatable) return false;
    if (!this.#http.retryOnStaleConnection) return false;
    if (exchange.isUnprocessed) return true;
    return exchange.error.code === "STALE_CONNECTION" && idempotent.has(this.#draft.endpoint.method);
  }

  #fail(error: unknown): void {
    this.#end(null, asError(error));
  }

  /** Ends the call with its response, or with an error. */
  #end(response: Response | null, error: Error | null): void {
    let thrown = error;
    try {
      this.#first.abandon();
    } catch (fault) {
      // Closing a stream that the test supplied may throw.
      thrown = asError(fault);
    }
    const { vu } = this.#session;
    vu.onCallEnded();
    if (thrown !== null) {
      const { resolve, reject } = this.#promise;
      vu.rejectInIteration(() => {
        if (thrown instanceof RequestFailedError) resolve(throwToAwaiting(thrown));
        else reject(thrown);
      });
    } else if (response !== null) this.#promise.resolve(response);
  }
}

/**
 * Rejects with an error whose stack leads to the test's line. It waits until the call's promise awaits this
 * one, because only then does V8 know which code awaits the call.
 */
async function throwToAwaiting(error: Error): Promise<never> {
  await Promise.resolve();
  await Promise.resolve();
  Error.captureStackTrace(error);
  throw error;
}

function digestOf(draft: Draft): DigestAuth | null {
  const { auth } = draft;
  return auth !== undefined && "type" in auth && auth.type === "digest" && !draft.setsHeader("authorization")
    ? auth
    : null;
}

function joined(first: readonly string[], second: readonly string[]): readonly string[] {
  if (second.length === 0) return first;
  return first.length === 0 ? second : [...first, ...second];
}
