import type { Duration } from "./duration.ts";
import type { Tags } from "./metric.ts";

/** An address: absolute, or relative to the test's `baseUrl`. A `URL` fits. */
export type RequestUrl = string | { readonly href: string };

/** A value in a query or a form; `undefined` leaves it out. */
export type FieldValue = string | number | boolean | undefined;

/** Fields of a query or a form. A list writes the name once for each value. */
export type Fields = Readonly<Record<string, FieldValue | readonly FieldValue[]>>;

/** Statuses from `min` to `max`, both included. */
export interface StatusRange {
  readonly min: number;
  readonly max: number;
}

/** Options of one request. At most one of `json`, `form` and `body`. */
export interface RequestOptions {
  /** A body written as JSON, with `content-type: application/json`. */
  readonly json?: unknown;
  /** A body written as form fields, with `content-type: application/x-www-form-urlencoded`. */
  readonly form?: Fields;
  /** A body as it is. */
  readonly body?: string | Uint8Array;
  /** Added to the query of the address. */
  readonly params?: Fields;
  /** Headers of this request. Names are written as given. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** The `authorization` header: a bearer token, or basic authentication. */
  readonly auth?: { readonly bearer: string } | { readonly username: string; readonly password: string };
  /** The longest time for the whole exchange, waiting for a connection included. @default "60s" */
  readonly timeout?: Duration;
  /** How many redirects to follow; each hop is a request of its own. @default 10 */
  readonly redirects?: number;
  /** What this request is grouped by in the results. @default the method and path, ids collapsed: see `requestName` */
  readonly name?: string;
  /** Tags of this request's samples. */
  readonly tags?: Tags;
  /** Statuses that count as success, deciding `http_req_failed`. @default { min: 200, max: 399 } */
  readonly expect?: number | StatusRange | readonly (number | StatusRange)[];
  /**
   * Whether to repeat an idempotent request once where the server closed the reused connection before answering.
   * The repeat is counted. @default false
   */
  readonly retryOnStaleConnection?: boolean;
  /** Whether to throw `RequestFailedError` instead of returning a response that failed. @default false */
  readonly throwOnError?: boolean;
}
