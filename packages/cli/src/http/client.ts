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

import type { Clock } from "../pacing/clock.ts";
import type { Deadlines } from "./deadlines.ts";
import { dispatchOptions, EndpointCache, type Endpoint } from "./endpoint.ts";
import { Exchange } from "./exchange.ts";
import type { ExchangeRecorder } from "./exchange-recorder.ts";
import { isExpectedStatus } from "./expectation.ts";
import { nextHop, type Hop } from "./redirects.ts";
import { encodeBody, encodeFields } from "./request-body.ts";
import { headersForRedirect, requestHeaders } from "./request-headers.ts";
import { ExchangeResponse } from "./response.ts";
import type { Session, SessionPlace } from "./session.ts";

const defaultTimeoutMs = 60_000;
const defaultRedirects = 10;
/** A refused connection costs nothing, and a loop of them would be all that the generator does. */
const backOffMs = 100;
const longestBackOffMs = 2000;

/** What the clients of a worker's VUs share. */
export interface HttpEnvironment {
  readonly clock: Clock;
  readonly deadlines: Deadlines;
  readonly endpoints: EndpointCache;
  readonly recorder: ExchangeRecorder;
  readonly defaultHeaders: readonly string[];
}

const noOptions: RequestOptions = {};

/** `http` as one VU's scenarios see it. Methods are bound, so that a test may take them apart. */
export function createHttp(environment: HttpEnvironment, session: Session): Http {
  const client = new HttpClient(environment, session);
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

class HttpClient {
  readonly #environment: HttpEnvironment;
  readonly #session: Session;
  #failedConnections = 0;

  constructor(environment: HttpEnvironment, session: Session) {
    this.#environment = environment;
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
      const endpoint = this.#environment.endpoints.get(method, address);
      const place = this.#place(options);
      const exchange = await this.#attempt(endpoint, options, place);
      const redirects = options.redirects ?? defaultRedirects;
      const hop = redirects > 0 ? hopAfter(exchange) : null;
      const response =
        hop === null
          ? new ExchangeResponse(exchange)
          : await this.#follow(exchange, hop, options, place, redirects);
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

  async #follow(
    first: Exchange,
    firstHop: Hop,
    options: RequestOptions,
    place: SessionPlace,
    redirects: number,
  ): Promise<ExchangeResponse> {
    let exchange = first;
    let hop: Hop | null = firstHop;
    let carried = options;
    for (let followed = 0; hop !== null; followed++) {
      const from = exchange.endpoint;
      const refusal = this.#refusal(hop, followed >= redirects ? redirects : null);
      if (refusal !== null) {
        this.#environment.recorder.recordFault(refusal.code, refusal.message, from.name, exchange.endedAt);
        return new ExchangeResponse(exchange, { ...refusal, phase: "receiving" });
      }
      carried = redirectOptions(carried, hop, from.url);
      exchange = await this.#attempt(
        this.#environment.endpoints.get(hop.method, hop.url.href),
        carried,
        place,
      );
      hop = hopAfter(exchange);
    }
    return new ExchangeResponse(exchange);
  }

  #refusal(hop: Hop, limit: number | null): { readonly code: string; readonly message: string } | null {
    if (limit !== null) {
      return {
        code: "TOO_MANY_REDIRECTS",
        message: `more than ${limit} redirects; the next would have led to ${hop.url.href}`,
      };
    }
    if (this.#environment.endpoints.allows(hop.url)) return null;
    return {
      code: "HOST_NOT_ALLOWED",
      message: `a redirect to ${hop.url.origin} was not followed: add "${hop.url.host}" to allowHosts to allow it`,
    };
  }

  async #attempt(endpoint: Endpoint, options: RequestOptions, place: SessionPlace): Promise<Exchange> {
    const exchange = await this.#exchange(endpoint, options, place);
    const isRepeatable = options.retryOnStaleConnection === true && idempotent.has(endpoint.method);
    if (isRepeatable && exchange.error?.code === "STALE_CONNECTION")
      return this.#exchange(endpoint, options, place);
    return exchange;
  }

  async #exchange(endpoint: Endpoint, options: RequestOptions, place: SessionPlace): Promise<Exchange> {
    const session = this.#session;
    const row = this.#environment.endpoints.row(options.name ?? endpoint.name);
    const dispatch = this.#dispatchOptions(endpoint, options);
    const exchange = await new Promise<Exchange>((resolve) => {
      const timing = {
        intendedAt: session.takeIntendedStart(),
        timeoutMs: options.timeout === undefined ? defaultTimeoutMs : parseDuration(options.timeout),
      };
      const { clock, deadlines, recorder } = this.#environment;
      const started = new Exchange(
        endpoint,
        dispatch,
        row,
        timing,
        { clock, deadlines, pool: session.pool },
        (settled) => {
          session.inFlight.delete(settled);
          recorder.record(settled, row, place, options.expect);
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

  #dispatchOptions(endpoint: Endpoint, options: RequestOptions): Dispatcher.DispatchOptions {
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
    const written = requestHeaders(this.#environment.defaultHeaders, options, encoded?.contentType ?? null);
    return dispatchOptions(endpoint.method, endpoint.path, written, encoded?.bytes ?? null);
  }
}

const idempotent = new Set(["GET", "HEAD", "OPTIONS", "PUT", "DELETE"]);

function hopAfter(exchange: Exchange): Hop | null {
  const { status, endpoint } = exchange;
  if (status < 300 || status > 399) return null;
  return nextHop(
    status,
    new ExchangeResponse(exchange).headers.get("location"),
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
