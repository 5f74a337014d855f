import {
  parseDuration,
  RequestFailedError,
  StopSignal,
  type BatchRequest,
  type BatchResponses,
  type Http,
  type RequestOptions,
  type RequestUrl,
  type Response,
} from "@bearhug/sdk";
import type { Dispatcher } from "undici";

import { dispatchOptions, type Endpoint } from "./request/endpoint.ts";
import { Exchange } from "./exchange/exchange.ts";
import { isExpectedStatus } from "./request/expectation.ts";
import type { HttpEnvironment } from "./http-environment.ts";
import { nextHop, type Hop } from "./session/redirects.ts";
import { RequestFault } from "./request/request-fault.ts";
import { encodeBody, encodeFields } from "./request/request-body.ts";
import { headersForRedirect, requestHeaders } from "./request/request-headers.ts";
import { RawResponseHeaders } from "./response/response-headers.ts";
import { ExchangeResponse } from "./response/response.ts";
import type { Session, SessionPlace } from "./session/session.ts";

const defaultTimeoutMs = 60_000;
const defaultRedirects = 10;
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
  };
}

/** How far redirects are followed. */
interface Following {
  readonly left: number;
  readonly isFollowing: boolean;
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
      const address = withParams(typeof url === "string" ? url : url.href, options.params);
      const place = this.#place(options);
      const endpoint = place.environment.endpoints.get(method, address);
      const response = await this.#follow(endpoint, options, place);
      if (options.throwOnError === true && !this.#isGood(response, options)) {
        throw new RequestFailedError(options.name ?? endpoint.name, response);
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

  #isGood(response: Response, { expect }: RequestOptions): boolean {
    return response.error === null && isExpectedStatus(response.status, expect);
  }

  async #follow(first: Endpoint, options: RequestOptions, place: SessionPlace): Promise<ExchangeResponse> {
    let endpoint = first;
    let carried = options;
    for (let left = options.redirects ?? defaultRedirects; ; left--) {
      const follow: Following = { left, isFollowing: options.redirects !== 0 };
      const exchange = await this.#attempt(endpoint, carried, place, follow);
      const hop = hopAllowed(exchange, follow, place.environment);
      if (hop === null || exchange.error !== null)
        return new ExchangeResponse(exchange, place.environment.mask);
      carried = redirectOptions(carried, hop, endpoint.url);
      endpoint = place.environment.endpoints.get(hop.method, hop.url.href);
    }
  }

  async #attempt(
    endpoint: Endpoint,
    options: RequestOptions,
    place: SessionPlace,
    follow: Following,
  ): Promise<Exchange> {
    const exchange = await this.#exchange(endpoint, options, place, follow);
    const isRepeatable = options.retryOnStaleConnection === true && idempotent.has(endpoint.method);
    if (isRepeatable && exchange.error?.code === "STALE_CONNECTION")
      return this.#exchange(endpoint, options, place, follow);
    return exchange;
  }

  async #exchange(
    endpoint: Endpoint,
    options: RequestOptions,
    place: SessionPlace,
    follow: Following,
  ): Promise<Exchange> {
    const session = this.#session;
    const { clock, deadlines, recorder, endpoints, defaultHeaders } = place.environment;
    const row = endpoints.row(options.name ?? endpoint.name);
    const dispatch = optionsOf(endpoint, options, defaultHeaders);
    const exchange = await new Promise<Exchange>((resolve) => {
      const timing = {
        timeoutMs: timeoutOf(options),
        intendedAt: session.takeIntendedStart(),
      };
      const started = new Exchange(
        endpoint,
        dispatch,
        row,
        timing,
        { clock, deadlines, pool: session.pool },
        (settled) => {
          session.inFlight.delete(settled);
          const hop = hopAllowed(settled, follow, place.environment);
          const isFollowed = hop !== null && settled.error === null;
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

  /** After the second connection in a row that did not open, each failure takes a little longer to be told. */
  async #backOff(exchange: Exchange): Promise<void> {
    if (!Number.isNaN(exchange.startedAt)) {
      this.#failedConnections = 0;
      return;
    }
    this.#failedConnections++;
    const waits = this.#failedConnections - 1;
    if (waits > 0) await this.#session.pause(Math.min(backOffMs * waits, longestBackOffMs));
  }
}

/** What a request is dispatched with; one without options of its own takes what its endpoint has ready. */
function optionsOf(
  endpoint: Endpoint,
  options: RequestOptions,
  defaultHeaders: readonly string[],
): Dispatcher.DispatchOptions {
  const { json, form, body, headers, auth } = options;
  if (
    json === undefined &&
    form === undefined &&
    body === undefined &&
    headers === undefined &&
    auth === undefined
  ) {
    return endpoint.plain;
  }
  const encoded = encodeBody(options);
  const written = requestHeaders(defaultHeaders, options, encoded?.contentType ?? null);
  return dispatchOptions(
    endpoint.method,
    endpoint.path,
    written,
    encoded?.body instanceof Uint8Array ? encoded.body : null,
  );
}

/** The redirect that is to be followed; where it must not be, the exchange has failed. */
function hopAllowed(
  exchange: Exchange,
  { left, isFollowing }: Following,
  { endpoints }: HttpEnvironment,
): Hop | null {
  const hop = isFollowing && exchange.error === null ? hopAfter(exchange) : null;
  if (hop === null) return null;
  if (left <= 0) {
    const message = `too many redirects; the next would have led to ${hop.url.href}`;
    exchange.error = { code: "TOO_MANY_REDIRECTS", message, phase: "receiving" };
  } else if (!endpoints.allows(hop.url)) {
    const message = `a redirect to ${hop.url.origin} was not followed: add "${hop.url.host}" to allowHosts to allow it`;
    exchange.error = { code: "HOST_NOT_ALLOWED", message, phase: "receiving" };
  }
  return hop;
}

function timeoutOf({ timeout }: RequestOptions): number {
  if (timeout === undefined) return defaultTimeoutMs;
  const timeoutMs = parseDuration(timeout);
  if (timeoutMs > 0) return timeoutMs;
  throw new RequestFault("INVALID_REQUEST", "timeout: must be longer than 0.");
}

const idempotent = new Set(["GET", "HEAD", "OPTIONS", "PUT", "DELETE"]);

function hopAfter(exchange: Exchange): Hop | null {
  const { status, endpoint } = exchange;
  if (status < 300 || status > 399) return null;
  return nextHop(
    status,
    new RawResponseHeaders(exchange.rawHeaders).get("location"),
    endpoint.method,
    endpoint.url,
  );
}

function redirectOptions(options: RequestOptions, hop: Hop, from: URL): RequestOptions {
  const isCrossOrigin = hop.url.origin !== from.origin;
  const { json, form, body, params, auth, headers, ...rest } = options;
  return {
    ...rest,
    ...(headers === undefined
      ? {}
      : { headers: headersForRedirect(headers, { isCrossOrigin, keepsBody: hop.keepsBody }) }),
    ...(auth === undefined || isCrossOrigin ? {} : { auth }),
    ...(hop.keepsBody && json !== undefined ? { json } : {}),
    ...(hop.keepsBody && form !== undefined ? { form } : {}),
    ...(hop.keepsBody && body !== undefined ? { body } : {}),
  };
}

function withParams(address: string, params: RequestOptions["params"]): string {
  if (params === undefined) return address;
  const query = encodeFields(params);
  if (query === "") return address;
  const [beforeHash = "", ...hash] = address.split("#");
  const joined = `${beforeHash}${beforeHash.includes("?") ? "&" : "?"}${query}`;
  return hash.length === 0 ? joined : `${joined}#${hash.join("#")}`;
}
