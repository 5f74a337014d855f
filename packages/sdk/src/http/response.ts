import { BearhugError } from "../bearhug-error.ts";
import type { KnownHttpErrorCode } from "../http-errors/error-catalog.ts";
import type { HttpPhase, Timings } from "./timings.ts";

/** Headers of a response. Names are case-insensitive. */
export interface ResponseHeaders {
  /** The header's value, several of one name joined with `", "`; null if it is absent. */
  get(name: string): string | null;
  /** Every value of a header that occurs several times, such as `set-cookie`; empty if it is absent. */
  getAll(name: string): readonly string[];
  /** Names (in lower case) and values, in the order in which they were received. */
  entries(): Iterable<readonly [name: string, value: string]>;
}

/** Sizes of one exchange, in bytes. All but `decoded` are as on the wire. */
export interface ExchangeSize {
  /** Sent on the wire: request line, headers and body. */
  readonly sent: number;
  /** Received on the wire: status line, headers, framing and body. */
  readonly received: number;
  /** The response body as it arrived, before decompression; also counted if the body was not kept. */
  readonly body: number;
  /** The decompressed body; null until the body is read, which decompresses it. */
  readonly decoded: number | null;
}

/** The connection that an exchange went over. */
export interface ConnectionInfo {
  /** The IP address of the server, or of the proxy if there is one; null for a unix socket. */
  readonly remoteAddress: string | null;
  /** The port at `remoteAddress`; null for a unix socket. */
  readonly remotePort: number | null;
  /** True if the connection had carried a request before. */
  readonly isReused: boolean;
  /** The TLS parameters that were negotiated with the server; null without TLS. */
  readonly tls: TlsInfo | null;
}

/** The negotiated TLS parameters. */
export interface TlsInfo {
  readonly version: "1.0" | "1.1" | "1.2" | "1.3";
  /** The OpenSSL name of the cipher suite, such as `"TLS_AES_256_GCM_SHA384"`. */
  readonly cipher: string;
}

/** A response. A failed exchange has one too, with `status` 0 and an `error`. */
export interface Response {
  /** The status code; 0 if no response arrived. */
  readonly status: number;
  /** True if the status is in 200–299. */
  readonly ok: boolean;
  /** The URL that responded: the last one after redirects. */
  readonly url: string;
  /** True if a redirect was followed: `url` is then not the URL of the request. */
  readonly redirected: boolean;
  readonly headers: ResponseHeaders;
  /** Cookies that this response set, by name. Their attributes are in `headers.getAll("set-cookie")`. */
  readonly cookies: ReadonlyMap<string, string>;
  readonly timings: Timings;
  readonly size: ExchangeSize;
  /** True if the body comes from the browser cache, with or without revalidation. */
  readonly fromCache: boolean;
  /** The version of HTTP, such as `"HTTP/1.1"` or `"HTTP/2"`; empty if no response arrived. */
  readonly protocol: string;
  /** The connection of the exchange; null if none was open, or if nothing was sent (`fromCache`). */
  readonly connection: ConnectionInfo | null;
  /** The reason why there is no response; null if there is one. */
  readonly error: HttpErrorInfo | null;
  /**
   * The decompressed body as text. Its encoding comes from its byte order mark, else from the charset of
   * `content-type`, else from a declaration in the HTML or XML, else it is UTF-8.
   * @throws {BodyUnavailableError} if the body was not kept (`discardBodies`, or larger than 10 MiB), or
   * can't be decompressed, or is larger than 64 MiB decompressed.
   */
  text(): string;
  /**
   * The body parsed as JSON. `T` is not checked.
   * @throws {SyntaxError} if it is not JSON; the message shows the URL and the beginning of the body. Throws
   * what `text()` throws, too.
   */
  json<T = unknown>(): T;
  /**
   * The body's bytes, decompressed (gzip, deflate, br and zstd, also several in turn). Bytes in an unknown
   * encoding are returned as received. You may change the bytes: only this response has them.
   * @throws what `text()` throws.
   */
  bytes(): Uint8Array;
}

/** Codes of failed exchanges, explained one by one in docs/errors.md. Later releases may add some. */
export type HttpErrorCode = KnownHttpErrorCode | (string & Record<never, never>);

/** The reason why an exchange has no response. */
export interface HttpErrorInfo {
  /** A stable identifier of the failure, such as `"CONNECTION_REFUSED"`. */
  readonly code: HttpErrorCode;
  /** One sentence that describes the failure. */
  readonly message: string;
  /** The operating system's error code, such as `ECONNREFUSED`; absent if there is none. */
  readonly cause?: string;
  /** The phase in which it failed. */
  readonly phase: HttpPhase;
}

/** Thrown by `text()`, `json()` and `bytes()` of a response whose body was not kept or can't be decoded. */
export class BodyUnavailableError extends BearhugError {
  override readonly name = "BodyUnavailableError";
  readonly code = "BODY_UNAVAILABLE";
  constructor(reason: string, options?: { readonly cause?: unknown }) {
    super(`The body can't be read: ${reason}`, options);
  }
}

/** Thrown by requests with `throwOnError: true`: no response arrived, or none with an expected status. */
export class RequestFailedError extends BearhugError {
  override readonly name = "RequestFailedError";
  readonly code = "REQUEST_FAILED";
  /** The name that the request is grouped by. */
  readonly requestName: string;
  /** The failed response. Its `error` is set if no response arrived. */
  readonly response: Response;
  constructor(requestName: string, response: Response) {
    super(
      `${requestName} failed: ${response.error?.message ?? `status ${response.status} was not expected`}`,
    );
    this.requestName = requestName;
    this.response = response;
  }
}
