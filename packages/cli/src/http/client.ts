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
import { createCookieAccess } from "./session/cookie-access.ts";
import { RedirectChain, type NextStep } from "./session/redirect-chain.ts";
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
    try {
      const place = this.#place(options);
      const { endpoints, mask, defaultHeaders } = place.environment;
      const address = withParams(typeof url === "string" ? url : url.href, options.params);
      const draft = Draft.of(endpoints.get(method, address), options, defaultHeaders);
      const response = new ExchangeResponse(await this.#receive(draft, options, place), mask);
      if (options.throwOnError === true && !isGood(response, options)) {
        throw new RequestFailedError(options.name ?? draft.endpoint.name, response);
      }
      return response;
    } finally {
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
      let exchange = await this.#exchange(visit);
      if (isToBeRepeated(exchange, visit)) exchange = await this.#exchange(visit);
      const hop = visit.step?.hop ?? null;
      if (hop === null || exchange.error !== null) return exchange;
      draft = draft.redirected(hop, endpoints.get(hop.method, hop.url.href));
    }
  }

  /** One request, from its call to its record. */
  async #exchange(visit: Visit): Promise<Exchange> {
    const session = this.#session;
    const { options, place, draft, chain } = visit;
    const { clock, deadlines, recorder, endpoints, limits } = place.environment;
    const row = endpoints.row(options.name ?? draft.endpoint.name);
    const order: ExchangeOrder = {
      endpoint: draft.endpoint,
      wire: draft.wire(this.#ownHeaders(draft)),
      row,
      limits: requestLimits(options, limits),
      intendedAt: session.takeIntendedStart(),
    };
    const exchange = await new Promise<Exchange>((resolve) => {
      const started = new Exchange(
        order,
        { clock, deadlines, pool: session.pool, owner: session },
        (settled) => {
          session.inFlight.delete(settled);
          this.#keepCookies(settled);
          visit.step = settled.error === null ? chain.after(settled, draft) : null;
          if (visit.step !== null && visit.step.error !== null) settled.error = visit.step.error;
          const isFollowed = visit.step !== null && visit.step.hop !== null && settled.error === null;
          // `expect` is said of the last answer; a redirect on the way to it did what it should.
          recorder.record(settled, row, place, isFollowed ? undefined : options.expect);
          resolve(settled);
        },
      );
      if (Number.isNaN(started.endedAt)) session.inFlight.add(started);
    });
    if (exchange.wasInterrupted) throw new StopSignal();
    await this.#backOff(exchange);
    return exchange;
  }

  /** What the visitor adds to a request. */
  #ownHeaders(draft: Draft): readonly string[] {
    const { cookies } = this.#session.visitor;
    const cookie = cookies === null || draft.gives("cookie") ? null : cookies.header(draft.endpoint.url);
    return cookie === null ? noHeaders : ["cookie", cookie];
  }

  #keepCookies({ head, rawHeaders, order }: Exchange): void {
    const { cookies } = this.#session.visitor;
    if (cookies === null || head === null || !head.setsCookie) return;
    cookies.store(order.endpoint.url, new RawResponseHeaders(rawHeaders).getAll("set-cookie"));
  }

  /** After the second connection in a row that did not open, each failure takes a little longer to be told. */
  #backOff(exchange: Exchange): Promise<void> | undefined {
    if (!Number.isNaN(exchange.startedAt)) {
      this.#failedConnections = 0;
      return undefined;
    }
    this.#failedConnections++;
    const waits = this.#failedConnections - 1;
    return waits > 0 ? this.#session.pause(Math.min(backOffMs * waits, longestBackOffMs)) : undefined;
  }
}

const noHeaders: readonly string[] = [];
const idempotent = new Set(["GET", "HEAD", "OPTIONS", "PUT", "DELETE"]);

/** Once, where the test wants it, and where it is known or allowed that the server sees the request twice. */
function isToBeRepeated(exchange: Exchange, { draft, options }: Visit): boolean {
  if (options.retryOnStaleConnection !== true || exchange.error === null || !draft.isRepeatable) return false;
  if (exchange.isUnprocessed) return true;
  return exchange.error.code === "STALE_CONNECTION" && idempotent.has(draft.endpoint.method);
}

function isGood(response: Response, { expect }: RequestOptions): boolean {
  return response.error === null && isExpectedStatus(response.status, expect);
}
