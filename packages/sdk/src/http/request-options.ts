import type { Auth } from "../http-options/auth.ts";
import type { Duration } from "../duration/duration.ts";
import type { HeaderFields, StatusRange } from "../http-options/http-options.ts";
import type { Timeouts } from "../http-options/timeouts.ts";
import type { Tags } from "../metrics/metric.ts";
import type {
  PlatformAbortSignal,
  PlatformBlob,
  PlatformFormData,
  PlatformUrlSearchParams,
} from "../platform-types.ts";
import type { CookieJar } from "./cookies.ts";

/** A value in a query or a form; `undefined` leaves it out. */
export type FieldValue = string | number | boolean | undefined;

/**
 * Fields of a query or a form by name, a `URLSearchParams`, or pairs. An array repeats the name for each
 * value.
 */
export type Fields =
  | Readonly<Record<string, FieldValue | readonly FieldValue[]>>
  | Iterable<readonly [name: string, value: FieldValue]>;

/** A file on disk as a part of a `multipart` body. It is streamed while it is sent. */
export interface MultipartFile {
  /** The path of the file, absolute or relative to the folder of the test, as in feeds. */
  readonly file: string;
  /** The file name to send. @default the last part of the path */
  readonly filename?: string;
  /** Its `content-type`. @default "application/octet-stream" */
  readonly type?: string;
}

/** A part of a `multipart` body with its own file name or type. */
export interface MultipartContent {
  /** The content of the part. A stream (Node or web) is read once, while it is sent. */
  readonly content: string | Uint8Array | PlatformBlob | AsyncIterable<Uint8Array>;
  /**
   * The file name to send.
   * @default that of a `File`; none for a string, which is then a field; otherwise "blob", as in browsers
   */
  readonly filename?: string;
  /**
   * Its `content-type`. @default that of a `Blob`; none for a string; otherwise "application/octet-stream"
   */
  readonly type?: string;
  /** The length of a stream in bytes. If any length is unknown, the whole body is sent in chunks. */
  readonly length?: number;
}

/** A part of a `multipart` body: a field, bytes, a `Blob` or `File`, or a part with options; `undefined` leaves it out. */
export type MultipartValue = FieldValue | Uint8Array | PlatformBlob | MultipartFile | MultipartContent;

/** Parts of a `multipart` body by name, a `FormData`, or pairs. An array makes a part for each value. */
export type MultipartFields =
  | Readonly<Record<string, MultipartValue | readonly MultipartValue[]>>
  | Iterable<readonly [name: string, value: MultipartValue]>;

/** Options of one request. Use only one of `json`, `form`, `multipart` and `body`. */
export interface RequestOptions {
  /** A JSON body, with `content-type: application/json`. */
  readonly json?: unknown;
  /** A body of form fields, with `content-type: application/x-www-form-urlencoded`. */
  readonly form?: Fields;
  /**
   * A multipart body (`multipart/form-data`), as a browser sends a form with files.
   * Line ends in string fields become CR LF, as in browsers; those in a part's `content` do not change.
   */
  readonly multipart?: MultipartFields;
  /**
   * A body as in `fetch`: strings and bytes as they are; a `Blob` with its type; a `FormData` like
   * `multipart` and a `URLSearchParams` like `form`, with their `content-type`. A stream (Node's, the web's,
   * or any async iterable of bytes) is read once, while it is sent: make one for each request. It is sent in
   * chunks, unless the header `content-length` states its length.
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
   * Compresses the body and sets `content-encoding`. A stream is compressed while it is sent, in chunks.
   * @default not compressed
   */
  readonly compress?: "gzip" | "deflate" | "br" | "zstd";
  /**
   * Sends path and query exactly as written: `/a/../b`, `//x`, `%2e` and characters that are otherwise
   * encoded. The address must then begin with `/` or with `http://host/`, and `#` begins no fragment.
   * Characters beyond ASCII are sent in UTF-8; spaces and control characters are rejected. @default false
   */
  readonly rawPath?: boolean;
  /** Fields to add to the query of the URL. */
  readonly params?: Fields;
  /**
   * Headers of this request, with the names as you write them. `connection` may be `close` or `keep-alive`;
   * `content-length` must be the length of the body; `transfer-encoding`, `upgrade` and `expect` are
   * rejected.
   */
  readonly headers?: HeaderFields;
  /**
   * Cookies for this request only. They are sent with those of the virtual user, and replace cookies of the
   * same name. Values are sent as they are: encode them with `encodeURIComponent` if necessary. Redirects do
   * not forward these cookies.
   */
  readonly cookies?: Readonly<Record<string, string>>;
  /**
   * A jar from `http.newJar()`, to use in place of the virtual user's cookies. Responses store their cookies
   * in it.
   */
  readonly jar?: CookieJar;
  /**
   * Credentials: `{ bearer }`, `{ username, password }` (basic), `{ type: "digest", … }` or
   * `{ type: "aws-sigv4", … }`. `"none"` sends no credentials, even if `http` has some. The request's own
   * header `authorization` replaces them.
   * @default from `http`
   */
  readonly auth?: Auth | "none";
  /**
   * The timeout for the whole exchange, including the wait for a connection; or timeouts for its parts.
   * Timeouts that you do not set come from `http`.
   * @default from the `http` of the scenario or the test, else "60s" for the whole exchange
   */
  readonly timeout?: Duration | Timeouts;
  /** Cancels the request when it aborts: the exchange then fails with `REQUEST_ABORTED`. */
  readonly signal?: PlatformAbortSignal;
  /** Counts the bytes of the response body but does not keep it: reading it throws. @default from `http`, else false */
  readonly discardBodies?: boolean;
  /** Maximum response body in bytes on the wire; a longer one fails with `BODY_TOO_LARGE`. @default from `http`, else no limit */
  readonly maxBodySize?: number;
  /** Maximum number of redirects to follow; each hop is a request of its own. @default from `http`, else 10 */
  readonly redirects?: number;
  /**
   * The name under which the results group requests. @default the method and path, with ids replaced by `:id`
   */
  readonly name?: string;
  /** Tags for this request's samples. */
  readonly tags?: Tags;
  /** Statuses that count as success, for `http_req_failed`. @default from `http`, else { min: 200, max: 399 } */
  readonly expect?: number | StatusRange | readonly (number | StatusRange)[];
  /**
   * Retries a request once if that is safe: an idempotent request if the server closed the reused connection
   * before responding, and any request if HTTP/2 reports that it was not processed (`REFUSED_STREAM`, or a
   * `GOAWAY` whose last stream came before it), as when nginx ends a connection after 1,000 requests
   * (`keepalive_requests`). A request with a stream as its body is not retried. The retry counts as a
   * request. @default from `http`, else false
   */
  readonly retryOnStaleConnection?: boolean;
  /** Throws `RequestFailedError` instead of returning a failed response. @default from `http`, else false */
  readonly throwOnError?: boolean;
}
