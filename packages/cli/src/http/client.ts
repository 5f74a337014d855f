import {
  RequestFailedError,
  StopSignal,
  type BatchRequest,
  type BatchResponses,
  type DigestAuth,
  type Http,
  type RequestOptions,
  type RequestUrl,
  type Response,
} from "@bearhug/sdk";

import type { Place } from "../clients/client.ts";
import { asError } from "../protocol/read-thrown.ts";
import { DigestLogins } from "./authentication/digest-logins.ts";
import { expectationOf, isGood, isToBeRepeated, throwsOnError, type Call } from "./call.ts";
import { Exchange } from "./exchange/exchange.ts";
import type { ExchangeDependencies, ExchangeOrder } from "./exchange/exchange-order.ts";
import { addressOf, withParams } from "./request/address.ts";
import { Draft } from "./request/draft.ts";
import { validateBatch, validateOptions } from "./request/validate-options.ts";
import { noteSecrets } from "./request/note-secrets.ts";
import { methodOf } from "./request/method.ts";
import { requestLimits } from "./request/request-limits.ts";
import { RawResponseHeaders } from "./response/response-headers.ts";
import { ExchangeResponse, type ReceivedResponse } from "./response/response.ts";
import type { BrowserCache } from "./session/browser-cache.ts";
import { concludeExchange, cookieHeader, keepCookies } from "./session/conclude-exchange.ts";
import { createCookieAccess } from "./session/cookie-access.ts";
import { RedirectChain } from "./session/redirect-chain.ts";
import { visitThroughCache } from "./session/visit-through-cache.ts";
import type { FetchClient } from "./fetch/fetch-client.ts";
import type { Session } from "./session/session.ts";

const noOptions: RequestOptions = {};

/** Makes what of `http` is undici's, when a test first asks for it. */
export type MakeFetchClient = (session: Session) => FetchClient;

/** `http` as one VU's scenarios see it. Methods are bound, so that a test may take them apart. */
export function createHttp(session: Session, makeFetchClient: MakeFetchClient): Http {
  const client = new HttpClient(session);
  let fetchClient: FetchClient | null = null;
  const undici = (): FetchClient => (fetchClient ??= makeFetchClient(session));
  const withMethod =
    (method: string) =>
    (url: RequestUrl, options: RequestOptions = noOptions): Promise<Response> =>
      client.send(method, url, options);
  return {
    get: withMethod("GET"),
    post: withMethod("POST"),
    put: withMethod("PUT"),
    patch: withMethod("PATCH"),
    delete: withMethod("DELETE"),
    head: withMethod("HEAD"),
    options: withMethod("OPTIONS"),
    request: (method, url, options = noOptions) => client.request(method, url, options),
    batch: (requests) => client.batch(requests),
    get fetch() {
      return undici().fetch;
    },
    get dispatcher() {
      return undici().dispatcher;
    },
    cookies: createCookieAccess(() => {
      const { baseUrl, endpoints, mask } = session.environmentAt(session.vu.place());
      return {
        cookies: session.visitor.cookies,
        seen: mask.seen,
        baseUrl,
        move: (url) => endpoints.move(url),
      };
    }),
  };
}

class HttpClient {
  readonly #session: Session;
  readonly #logins = new DigestLogins();
  #known: ExchangeDependencies | null = null;

  constructor(session: Session) {
    this.#session = session;
  }

  async batch<const R extends readonly BatchRequest[]>(requests: R): Promise<BatchResponses<R>> {
    validateBatch(requests);
    const responses = requests.map((request) =>
      typeof request === "string"
        ? this.send("GET", request, noOptions)
        : this.send(methodOf(request.method ?? "GET"), request.url, request, true),
    );
    // Every request settles before the batch does: a failure must not leave others running behind the test's back.
    await Promise.allSettled(responses);
    return Promise.all(responses) as Promise<BatchResponses<R>>;
  }

  async request(method: unknown, url: RequestUrl, options: RequestOptions): Promise<Response> {
    return this.send(methodOf(method), url, options);
  }

  /** A request with its redirects; resolves when the last hop has settled. */
  async send(
    method: string,
    url: RequestUrl,
    options: RequestOptions,
    areValidated = options === noOptions,
  ): Promise<Response> {
    const session = this.#session;
    if (session.vu.isStopped) throw new StopSignal();
    session.vu.onCall();
    let first: Draft | null = null;
    try {
      if (!areValidated) validateOptions(options);
      const call = this.#call(method, addressOf(url), options);
      first = call.draft;
      const { endpoints, mask } = call.environment;
      let received = await this.#visit(call);
      const { chain } = call;
      for (let { hop } = chain; hop !== null && chain.error === null; { hop } = chain) {
        call.hasLoggedIn = false;
        call.draft = call.draft.redirected(hop, endpoints.get(hop.method, hop.url.href));
        received = await this.#visit(call);
      }
      const response = new ExchangeResponse(received, mask, chain.error);
      if (throwsOnError(call) && !isGood(response, call)) {
        throw new RequestFailedError(endpoints.row(options.name ?? first.endpoint.name).name, response);
      }
      return response;
    } finally {
      // A stream of the test's own may throw where it is closed: the call has ended all the same.
      try {
        first?.abandon();
      } finally {
        session.vu.onCallEnded();
      }
    }
  }

  #call(method: string, address: string, options: RequestOptions): Call {
    const place = this.#place(options);
    const environment = this.#session.environmentAt(place);
    const { endpoints, mask, options: defaults } = environment;
    const isRaw = options.rawPath === true;
    const endpoint = endpoints.get(method, withParams(address, options.params, isRaw), isRaw);
    const draft = Draft.of(endpoint, options, environment);
    if (options !== noOptions) noteSecrets(options, mask.seen);
    return {
      draft,
      options,
      place,
      environment,
      chain: new RedirectChain(endpoints, options.redirects ?? defaults.redirects, mask),
      hasLoggedIn: false,
    };
  }

  #place({ tags }: RequestOptions): Place {
    const place = this.#session.vu.place();
    if (tags === undefined) return place;
    return { ...place, scope: place.scope.with(tags) };
  }

  /** One address: from the cache where a browser would take it from there, else by a request. */
  #visit(call: Call): Promise<ReceivedResponse> {
    const { cache } = this.#session.visitor;
    // No browser asks for a raw path; a cache would take it for the path that it leads to.
    return cache === null || call.options.rawPath === true
      ? this.#request(call, noHeaders, false)
      : this.#throughCache(call, cache);
  }

  async #throughCache(call: Call, cache: BrowserCache): Promise<ReceivedResponse> {
    const { draft, options, environment, chain } = call;
    const { clock, limits } = environment;
    const request = {
      method: draft.endpoint.method,
      url: draft.endpoint.url,
      headers: draft.wire(cookieHeader(this.#session, draft)).headers,
      discardsBody: requestLimits(options, limits).discardsBody,
    };
    const received = await visitThroughCache(cache, request, clock, async (conditions) => {
      const exchange = await this.#request(call, conditions, false);
      return { exchange, hasFailed: exchange.error !== null || chain.error !== null };
    });
    if (received.fromCache) chain.takes(received, draft);
    return received;
  }

  /** One request, from its call to its record; `isRepeat` where it is not to be repeated once more. */
  #request(call: Call, conditions: readonly string[], isRepeat: boolean): Promise<Exchange> {
    // One promise for a request that goes well: each more costs as much as reading its answer.
    return new Promise((resolve, reject) => {
      const exchange = new Exchange(this.#order(call, conditions), this.#dependencies(call), (settled) => {
        try {
          resolve(this.#end(settled, call, conditions, isRepeat));
        } catch (error) {
          reject(asError(error));
        }
      });
      if (Number.isNaN(exchange.endedAt)) this.#session.inFlight.add(exchange);
    });
  }

  #order({ draft, options, environment }: Call, conditions: readonly string[]): ExchangeOrder {
    const { endpoints, limits } = environment;
    return {
      endpoint: draft.endpoint,
      wire: draft.wire(joined(joined(cookieHeader(this.#session, draft), this.#answer(draft)), conditions)),
      row: endpoints.row(options.name ?? draft.endpoint.name),
      limits: requestLimits(options, limits),
      latenessMs: this.#session.vu.takeLateness(),
    };
  }

  /** The same for all of the session's requests: an engine has one clock. */
  #dependencies({ environment }: Call): ExchangeDependencies {
    if (this.#known !== null) return this.#known;
    const { clock, deadlines, mask } = environment;
    return (this.#known = {
      clock,
      deadlines,
      mask,
      pool: this.#session.pool,
      owner: this.#session,
      bodies: this.#session.bodies,
    });
  }

  /**
   * The end of a request, in its order: the visitor's cookies, a login, what follows, the record. Returns the exchange; or
   * its repetition, where it is to be sent once more.
   * @throws {StopSignal} if the hard stop ended it
   */
  #end(
    exchange: Exchange,
    call: Call,
    conditions: readonly string[],
    isRepeat: boolean,
  ): Exchange | Promise<Exchange> {
    const { place, environment, draft, chain } = call;
    this.#session.inFlight.delete(exchange);
    keepCookies(this.#session, exchange, environment.mask);
    const isAsked = !call.hasLoggedIn && this.#isAsked(exchange, call);
    const isFollowed = chain.takes(exchange, draft);
    const isConfirmed = conditions.length > 0 && exchange.status === 304;
    // `expect` is said of what the test sees; a redirect, or a cache's question, on the way to it did what it should.
    const expect = isAsked ? 401 : isFollowed || isConfirmed ? null : expectationOf(call);
    concludeExchange(exchange, this.#session, place, environment, expect, chain.error);
    if (exchange.wasStopped) throw new StopSignal();
    if (isAsked) {
      call.hasLoggedIn = true;
      return this.#request(call, conditions, isRepeat);
    }
    if (!isRepeat && isToBeRepeated(exchange, call)) return this.#request(call, conditions, true);
    return exchange;
  }

  /** The header that answers a challenge of the server; none before there was one. */
  #answer(draft: Draft): readonly string[] {
    const login = digestOf(draft);
    const value = login === null ? null : this.#logins.authorization(login, draft.endpoint.plain);
    return value === null ? noHeaders : ["authorization", value];
  }

  /** Returns true for a challenge that can be answered: by the same request, once more. */
  #isAsked({ error, status, head }: Exchange, { draft, environment }: Call): boolean {
    const login = digestOf(draft);
    if (login === null || error !== null || status !== 401 || head === null || !draft.isRepeatable)
      return false;
    const challenges = new RawResponseHeaders(head.rawHeaders()).getAll("www-authenticate");
    return this.#logins.learn(login, draft.endpoint.origin.text, challenges, environment.random);
  }
}

const noHeaders: readonly string[] = [];

function digestOf(draft: Draft): DigestAuth | null {
  const { auth } = draft;
  return auth !== undefined && "type" in auth && auth.type === "digest" && !draft.gives("authorization")
    ? auth
    : null;
}

function joined(first: readonly string[], second: readonly string[]): readonly string[] {
  if (second.length === 0) return first;
  return first.length === 0 ? second : [...first, ...second];
}
