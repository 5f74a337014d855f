import type { Duration } from "./duration.ts";
import type { Fields, FieldValue, HeaderFields } from "./fields.ts";
import type { Timeouts } from "./http-options.ts";
import type { Tags } from "./metric.ts";
import type {
  PlatformAbortSignal,
  PlatformBlob,
  PlatformFormData,
  PlatformUrlSearchParams,
} from "./platform-types.ts";
import type { StatusRange } from "./status-range.ts";

/** An address: absolute, or relative to the test's `baseUrl`. A `URL` fits. A user and password belong into `auth`. */
export type RequestUrl = string | { readonly href: string };

/** A part of a `multipart` body that is a file on disk, streamed from there while it is sent. */
export interface MultipartFile {
  /** Its path, absolute or from the working directory. */
  readonly file: string;
  /** @default the last part of the path */
  readonly filename?: string;
  /** Its `content-type`. @default "application/octet-stream" */
  readonly type?: string;
}

/** A part of a `multipart` body with a file name or type of its own. */
export interface MultipartContent {
  /** A stream is read once, while it is sent. Node's and the web's streams fit. */
  readonly content: string | Uint8Array | PlatformBlob | AsyncIterable<Uint8Array>;
  /** @default a `File`'s own; none for a text, which is then a field; "blob" for other bytes, as browsers have it */
  readonly filename?: string;
  /** Its `content-type`. @default a `Blob`'s own; none for a text; "application/octet-stream" for other bytes */
  readonly type?: string;
  /** How many bytes a stream has: where all lengths are known, the body is sent with its own, else in chunks. */
  readonly length?: number;
}

/** A part of a `multipart` body: a field, bytes, a `Blob` or `File`, or a part that says more; `undefined` leaves it out. */
export type MultipartValue = FieldValue | Uint8Array | PlatformBlob | MultipartFile | MultipartContent;

/** Parts of a `multipart` body by name, a `FormData`, or pairs. A list makes a part of each value. */
export type MultipartFields =
  | Readonly<Record<string, MultipartValue | readonly MultipartValue[]>>
  | Iterable<readonly [name: string, value: MultipartValue]>;

/** Options of one request. At most one of `json`, `form`, `multipart` and `body`. */
export interface RequestOptions {
  /** A body written as JSON, with `content-type: application/json`. */
  readonly json?: unknown;
  /** A body written as form fields, with `content-type: application/x-www-form-urlencoded`. */
  readonly form?: Fields;
  /**
   * A body in parts, as a browser's form with files sends it (`multipart/form-data`).
   * Line ends of fields that are texts become CR LF, as in browsers; those of a part's `content` stay.
   */
  readonly multipart?: MultipartFields;
  /**
   * A body as `fetch` takes it: text and bytes as they are; a `Blob` with its type; a `FormData` like `multipart` and a
   * `URLSearchParams` like `form`, with their `content-type`. A stream (Node's, the web's, or any async iterable of bytes) is read once, while it is sent: make
   * one for each request. It goes in chunks, unless the header `content-length` says how long it is.
   */
  readonly body?:
    | string
    | ArrayBuffer
    | ArrayBufferView
    | PlatformBlob
    | PlatformFormData
    | PlatformUrlSearchParams
    | AsyncIterable<Uint8Array>;
  /**
   * Compress the body, and say so in `content-encoding`. A stream is compressed while it is sent, in chunks.
   * @default not compressed
   */
  readonly compress?: "gzip" | "deflate" | "br" | "zstd";
  /**
   * Send the path and query as they are written: `/a/../b`, `//x`, `%2e` and characters that are otherwise
   * encoded. The address then begins with `/` or with `http://host/`, and nothing of it is a fragment. Characters beyond
   * ASCII are sent in UTF-8; spaces and control characters are refused. @default false
   */
  readonly rawPath?: boolean;
  /** Added to the query of the address. */
  readonly params?: Fields;
  /**
   * Headers of this request. Names are written as given. `connection` may be `close` or `keep-alive`; `content-length`
   * must be the body's; `transfer-encoding`, `upgrade` and `expect` are refused.
   */
  readonly headers?: HeaderFields;
  /** The `authorization` header: a bearer token, or basic authentication. */
  readonly auth?: { readonly bearer: string } | { readonly username: string; readonly password: string };
  /**
   * The longest time for the whole exchange, waiting for a connection included, or for its parts.
   * Parts that are left out, and those beside a time alone, are as `http` says.
   * @default what the scenario's or the test's `http` says, else "60s" for the whole
   */
  readonly timeout?: Duration | Timeouts;
  /** Gives the request up when it aborts: the exchange then fails with `REQUEST_ABORTED`. */
  readonly signal?: PlatformAbortSignal;
  /** Whether the response's body is counted and thrown away: reading it then throws. @default what `http` says, else false */
  readonly discardBodies?: boolean;
  /** The longest body, in bytes as they arrive; a longer one is the error `BODY_TOO_LARGE`. @default what `http` says, else no bound */
  readonly maxBodySize?: number;
  /** How many redirects to follow; each hop is a request of its own. @default what `http` says, else 10 */
  readonly redirects?: number;
  /** What this request is grouped by in the results. @default the method and path, ids collapsed: see `requestName` */
  readonly name?: string;
  /** Tags of this request's samples. */
  readonly tags?: Tags;
  /** Statuses that count as success, deciding `http_req_failed`. @default what `http` says, else { min: 200, max: 399 } */
  readonly expect?: number | StatusRange | readonly (number | StatusRange)[];
  /**
   * Whether to repeat a request once where that is safe: an idempotent one where the server closed the reused connection
   * before answering, and any where HTTP/2 says that it was not processed (`REFUSED_STREAM`, or a `GOAWAY` whose last
   * stream came before it), as when nginx ends a connection after its 1,000 requests (`keepalive_requests`).
   * A body that is a stream is not sent again. The repeat is counted. @default what `http` says, else false
   */
  readonly retryOnStaleConnection?: boolean;
  /** Throw `RequestFailedError` instead of returning a response that failed. @default what `http` says, else false */
  readonly throwOnError?: boolean;
}
