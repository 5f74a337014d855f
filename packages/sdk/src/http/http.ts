import type { CookieJar } from "./cookies.ts";
import type { MeasuredFetch, UndiciDispatcher } from "./fetch.ts";
import type { RequestOptions } from "./request-options.ts";
import type { RequestUrl } from "./request-url.ts";
import type { Response } from "./response.ts";

/** A request of a batch that needs more than a URL. */
export interface BatchRequestOptions extends RequestOptions {
  /** The request's method. @default "GET" */
  readonly method?: string;
  readonly url: RequestUrl;
}

/** A request of a batch: a URL to get, or a request in full. */
export type BatchRequest = string | BatchRequestOptions;

/** One response for each request of a batch, in the same order. */
export type BatchResponses<R extends readonly BatchRequest[]> = { -readonly [I in keyof R]: Response };

/** Sends a request with the method of the same name, and resolves to the response. */
export type Send = (url: RequestUrl, options?: RequestOptions) => Promise<Response>;

/**
 * Requests of one virtual user, which keeps its connections.
 * A failed exchange is a response with status 0 and an `error`, unless `throwOnError` is set. A request that
 * bearhug refuses to send rejects with an error whose `code` is `INVALID_URL`, `HOST_NOT_ALLOWED` or
 * `INVALID_REQUEST`.
 * Every call rejects with `StopSignal` after the hard stop. You may destructure the functions.
 */
export interface Http {
  readonly get: Send;
  readonly post: Send;
  readonly put: Send;
  readonly patch: Send;
  readonly delete: Send;
  readonly head: Send;
  readonly options: Send;
  /** Sends a request with any method. */
  readonly request: (method: string, url: RequestUrl, options?: RequestOptions) => Promise<Response>;
  /** Sends requests in parallel as a browser does: in the given order, at most six at a time to one host. */
  readonly batch: <const R extends readonly BatchRequest[]>(requests: R) => Promise<BatchResponses<R>>;
  /**
   * undici's `fetch` over this virtual user's connections: for clients that take a `fetch`. Each request and
   * each hop of a redirect is measured and guarded like one of `http.get`, with the virtual user's cookies.
   * An address may be relative to the test's `baseUrl`. Otherwise it behaves like any `fetch`: it rejects if
   * there is no response.
   */
  readonly fetch: MeasuredFetch;
  /**
   * An undici `Dispatcher` over the same connections, for clients that take one. `close` and `destroy` leave
   * them open.
   */
  readonly dispatcher: UndiciDispatcher;
  /** The virtual user's cookies. The test's option `http.cookies` sets how long they are kept. */
  readonly cookies: CookieJar;
  /** Makes an empty jar, for requests with the option `jar`. It lives as long as your test keeps it. */
  readonly newJar: () => CookieJar;
}
