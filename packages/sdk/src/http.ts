import type { RequestOptions, RequestUrl } from "./request-options.ts";
import type { Response } from "./response.ts";

/** A request of a batch that needs more than an address. */
export interface BatchRequestOptions extends RequestOptions {
  /** @default "GET" */
  readonly method?: string;
  readonly url: RequestUrl;
}

/** A request of a batch: an address to get, or a request in full. */
export type BatchRequest = string | BatchRequestOptions;

/** One response for each request of a batch, in the same order. */
export type BatchResponses<R extends readonly BatchRequest[]> = { -readonly [I in keyof R]: Response };

/**
 * Requests of one virtual user, which keeps its connections and cookies.
 * A failed exchange is a response with status 0 and an `error`, unless `throwOnError` is set.
 * Every call rejects with {@link StopSignal} once the hard stop has come.
 */
export interface Http {
  get(url: RequestUrl, options?: RequestOptions): Promise<Response>;
  post(url: RequestUrl, options?: RequestOptions): Promise<Response>;
  put(url: RequestUrl, options?: RequestOptions): Promise<Response>;
  patch(url: RequestUrl, options?: RequestOptions): Promise<Response>;
  delete(url: RequestUrl, options?: RequestOptions): Promise<Response>;
  head(url: RequestUrl, options?: RequestOptions): Promise<Response>;
  options(url: RequestUrl, options?: RequestOptions): Promise<Response>;
  /** A request with any method. */
  request(method: string, url: RequestUrl, options?: RequestOptions): Promise<Response>;
  /** Requests in parallel as a browser does: at most six at a time to one host, started in the order given. */
  batch<const R extends readonly BatchRequest[]>(requests: R): Promise<BatchResponses<R>>;
}
