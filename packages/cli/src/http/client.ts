import {
  RequestFailedError,
  StopSignal,
  type BatchRequest,
  type BatchResponses,
  type Http,
  type RequestOptions,
  type RequestUrl,
  type Response,
} from "@bearhug/sdk";

import { Exchange, type ExchangeOrder } from "./exchange/exchange.ts";
import { withParams } from "./request/address.ts";
import { Draft } from "./request/draft.ts";
import { isExpectedStatus } from "./request/expectation.ts";
import { requestLimits } from "./request/request-limits.ts";
import { RawResponseHeaders } from "./response/response-headers.ts";
import { ExchangeResponse, type ReceivedResponse } from "./response/response.ts";
import type { BrowserCache } from "./session/browser-cache.ts";
import { createCookieAccess } from "./session/cookie-access.ts";
import { RedirectChain, type NextStep } from "./session/redirect-chain.ts";
import { visitThroughCache } from "./session/visit-through-cache.ts";
import type { Session, SessionPlace } from "./session/session.ts";

/** A refused connection costs nothing, and a loop of them would be all that the generator does. */
const backOffMs = 100;
const longestBackOffMs = 2000;

const noOptions: RequestOptions = {};

/** `http` as one VU's scenarios see it. Methods are bound, so that a test may take them apart. */
export function createHttp(session: Session): Http {
  const client = new HttpClient(session);
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
    request: (method, url, options = noOptions) => client.send(method.toUpperCase(), url, options),
    batch: (requests) => client.batch(requests),
    cookies: createCookieAccess(() => ({
      cookies: session.visitor.cookies,
      baseUrl: session.place().environment.baseUrl,
    })),
  };
}

/** A request to one address, on the way of a call. */
interface Visit {
  readonly draft: Draft;
  readonly options: RequestOptions;
  readonly place: SessionPlace;
  readonly chain: RedirectChain;
  /** What follows, once it was answered. */
  step: NextStep | null;
}

class HttpClient {
  readonly #session: Session;
  #failedConnections = 0;

  constructor(session: Session) {
    this.#session = session;
  }

  async batch<const R extends readonly BatchRequest[]>(requests: R): Promise<BatchResponses<R>> {
    const responses = requests.map((request) =>
      typeof request === "string"
        ? this.send("GET", request, noOptions)
        : this.send((request.method ?? "GET").toUpperCase(), request.url, request),
    );
    // Every request settles before the batch does: a failure must not leave others running behind the test's back.
    await Promise.allSettled(responses);
    return Promise.all(responses) as Promise<BatchResponses<R>>;
  }

  /** A request with its redirects; resolves when the last hop has settled. */
  async send(method: string, url: RequestUrl, options: RequestOptions): Promise<Response> {
    const session = this.#session;
    if (session.isStopped) throw new StopSignal();
    session.onCall();
    let draft: Draft | null = null;
    try {
      const place = this.#place(options);
      const { endpoints, mask } = place.environment;
      const address = withParams(typeof url === "string" ? url : url.href, options.params);
      draft = Draft.of(endpoints.get(method, address), options, place.environment);
      const response = new ExchangeResponse(await this.#receive(draft, options, place), mask);
      if (options.throwOnError === true && !isGood(response, options)) {
        throw new RequestFailedError(options.name ?? draft.endpoint.name, response);
      }
      return response;
    } finally {
      draft?.abandon();
      session.onCallEnded();
    }
  }

  #place({ tags }: RequestOptions): SessionPlace {
    const place = this.#session.place();
    return tags === undefined ? place : { ...place, scope: place.scope.with(tags) };
  }

  /** The last answer of a chain of redirects. */
  async #receive(first: Draft, options: RequestOptions, place: SessionPlace): Promise<ReceivedResponse> {
    const { endpoints } = place.environment;
    const chain = new RedirectChain(endpoints, options.redirects);
    let draft = first;
    for (;;) {
      const visit: Visit = { draft, options, place, chain, step: null };
      const { cache } = this.#session.visitor;
      const received = await (cache === null ? this.#request(visit) : this.#throughCache(visit, cache));
      const { hop, error } = received.fromCache ? chain.after(received, draft) : (visit.step ?? end);
      if (error !== null) return received.fromCache ? { ...received, error } : received;
      if (hop === null) return received;
      draft = draft.redirected(hop, endpoints.get(hop.method, hop.url.href));
    }
  }

  #throughCache(visit: Visit, cache: BrowserCache): Promise<ReceivedResponse> {
    const { draft, options, place } = visit;
    const { clock, limits } = place.environment;
    const request = {
      method: draft.endpoint.method,
      url: draft.endpoint.url,
      headers: draft.wire(this.#ownHeaders(draft)).headers,
      discardsBody: requestLimits(options, limits).discardsBody,
    };
    return visitThroughCache(cache, request, clock, (conditions) => this.#request(visit, conditions));
  }

  /** A request, and its repeat where it is to be repeated. */
  async #request(visit: Visit, conditions: readonly string[] = noHeaders): Promise<Exchange> {
    const exchange = await this.#exchange(visit, conditions);
    return isToBeRepeated(exchange, visit) ? this.#exchange(visit, conditions) : exchange;
  }

  /** One request, from its call to its record. */
  async #exchange(visit: Visit, conditions: readonly string[]): Promise<Exchange> {
    const session = this.#session;
    const { options, place, draft } = visit;
    const { clock, deadlines, endpoints, limits } = place.environment;
    const row = endpoints.row(options.name ?? draft.endpoint.name);
    const order: ExchangeOrder = {
      endpoint: draft.endpoint,
      wire: draft.wire(joined(this.#ownHeaders(draft), conditions)),
      row,
      limits: requestLimits(options, limits),
      intendedAt: session.takeIntendedStart(),
    };
    const exchange = await new Promise<Exchange>((resolve) => {
      const dependencies = { clock, deadlines, pool: session.pool, owner: session };
      const started = new Exchange(order, dependencies, (settled) => {
        session.inFlight.delete(settled);
        this.#conclude(settled, visit, conditions.length > 0);
        resolve(settled);
      });
      if (Number.isNaN(started.endedAt)) session.inFlight.add(started);
    });
    if (exchange.wasInterrupted) throw new StopSignal();
    const pause = this.#backOff(exchange);
    if (pause !== null) await pause;
    return exchange;
  }

  /** What an answer means for the visitor, for what follows, and for the record. */
  #conclude(exchange: Exchange, visit: Visit, isConditional: boolean): void {
    const { options, place, draft, chain } = visit;
    this.#keepCookies(exchange);
    const step = exchange.error === null ? chain.after(exchange, draft) : end;
    visit.step = step;
    exchange.error ??= step.error;
    const isFollowed = step.hop !== null && step.error === null;
    const isConfirmed = isConditional && exchange.status === 304;
    // `expect` is said of what the test sees; a redirect, or a cache's question, on the way to it did what it should.
    const expect = isFollowed || isConfirmed ? undefined : options.expect;
    place.environment.recorder.record(exchange, exchange.order.row, place, expect);
  }

  /** What the visitor adds to a request. */
  #ownHeaders(draft: Draft): readonly string[] {
    const cookie = this.#session.visitor.cookies?.header(draft.endpoint.url) ?? null;
    return cookie === null || draft.gives("cookie") ? noHeaders : ["cookie", cookie];
  }

  #keepCookies({ head, order }: Exchange): void {
    const { cookies } = this.#session.visitor;
    if (cookies === null || head?.setsCookie !== true) return;
    cookies.store(order.endpoint.url, new RawResponseHeaders(head.rawHeaders()).getAll("set-cookie"));
  }

  /** After the second connection in a row that did not open, each failure takes a little longer to be told. */
  #backOff(exchange: Exchange): Promise<void> | null {
    if (!Number.isNaN(exchange.startedAt)) {
      this.#failedConnections = 0;
      return null;
    }
    this.#failedConnections++;
    const waits = this.#failedConnections - 1;
    return waits > 0 ? this.#session.pause(Math.min(backOffMs * waits, longestBackOffMs)) : null;
  }
}

const noHeaders: readonly string[] = [];
const end: NextStep = { hop: null, error: null };
const idempotent = new Set(["GET", "HEAD", "OPTIONS", "PUT", "DELETE"]);

/** Once, where the test wants it, and where it is known or allowed that the server sees the request twice. */
function isToBeRepeated(exchange: Exchange, { draft, options }: Visit): boolean {
  if (options.retryOnStaleConnection !== true || exchange.error === null || !draft.isRepeatable) return false;
  if (exchange.isUnprocessed) return true;
  return exchange.error.code === "STALE_CONNECTION" && idempotent.has(draft.endpoint.method);
}

function joined(first: readonly string[], second: readonly string[]): readonly string[] {
  if (second.length === 0) return first;
  return first.length === 0 ? second : [...first, ...second];
}

function isGood(response: Response, { expect }: RequestOptions): boolean {
  return response.error === null && isExpectedStatus(response.status, expect);
}
