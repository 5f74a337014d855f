import type { Duration } from "../duration/duration.ts";
import type { Auth } from "./auth.ts";
import type { DnsOptions } from "./dns.ts";
import type { Timeouts } from "./timeouts.ts";
import type { TlsOptions } from "./tls.ts";

export const cookieScopes = ["iteration", "vu", "off"] as const;
export const cacheKinds = ["none", "browser"] as const;
export const connectionScopes = ["perVu", "shared", "perRequest"] as const;
export const transportNames = ["bearhug", "undici"] as const;

/** The HTTP clients that `http.transport` can name. */
export type TransportName = (typeof transportNames)[number];

/** Headers by name, a `Headers`, or pairs. An array repeats the name for each value. */
export type HeaderFields =
  | Readonly<Record<string, string | readonly string[]>>
  | Iterable<readonly [name: string, value: string]>;

/** Statuses from `min` to `max`, both included. */
export interface StatusRange {
  readonly min: number;
  readonly max: number;
}

/**
 * How requests are sent, for a test or for one scenario. A scenario's options override the test's one by one
 * (`tls`, `dns` and `headers` as a whole, `timeout` part by part).
 */
export interface HttpOptions {
  /**
   * Headers of every request. A request's own headers override them.
   * A `cookie` header replaces the virtual user's cookies.
   */
  readonly headers?: HeaderFields;
  /**
   * Default request timeouts. A single time sets `whole`. Timeouts that a scenario does not set come from its
   * test.
   * @default "60s" for the whole exchange
   */
  readonly timeout?: Duration | Timeouts;
  /** Counts the bytes of response bodies but does not keep them: reading one throws. @default false */
  readonly discardBodies?: boolean;
  /** Maximum response body in bytes on the wire; a longer one fails with `BODY_TOO_LARGE`. @default no limit */
  readonly maxBodySize?: number;
  /**
   * How long a virtual user keeps its cookies: for one iteration (so that each iteration is a new visitor),
   * for all its iterations, or not at all. @default "iteration"
   */
  readonly cookies?: (typeof cookieScopes)[number];
  /**
   * `"browser"` gives each virtual user a browser cache that obeys `cache-control`, `expires`, `etag` and
   * `last-modified`. It is kept as long as the cookies; with `cookies: "off"`, as long as the virtual user. @default "none"
   */
  readonly cache?: (typeof cacheKinds)[number];
  /**
   * `"perVu"` gives each virtual user its own connections, `"shared"` shares them between all virtual users
   * of a worker, and `"perRequest"` opens and closes a connection for each request. @default "perVu"
   */
  readonly connections?: (typeof connectionScopes)[number];
  /**
   * Maximum number of connections to one host, for each virtual user, or for each worker if they are shared.
   * @default 6 on HTTP/1.1, as in browsers, and 1 on HTTP/2; if shared, no limit on HTTP/1.1
   */
  readonly maxConnections?: number;
  /** Closes a connection after this many requests. @default no limit */
  readonly maxRequestsPerConnection?: number;
  /**
   * Closes a connection at this age: its running requests finish, and the next request opens a new
   * connection, for which the host is resolved again. @default no limit
   */
  readonly maxConnectionAge?: Duration;
  /**
   * `"auto"` uses what TLS negotiates (ALPN), and HTTP/1.1 without TLS. `"http2"` requires HTTP/2. `"h2c"` is HTTP/2
   * without TLS (prior knowledge). @default "auto"
   */
  readonly protocol?: "auto" | "http1" | "http2" | "h2c";
  /**
   * The HTTP client that sends requests on the connections: bearhug's own, or an undici `Client` for each
   * connection. With both, bearhug does the pooling, DNS, TCP, TLS and proxies. @default "bearhug"
   */
  readonly transport?: (typeof transportNames)[number];
  /**
   * Maximum number of requests in flight on one HTTP/1.1 connection, from 1 to 100, for `transport: "undici"`. Responses come
   * in order; undici pipelines only GET, HEAD and QUERY. @default 1
   */
  readonly pipelining?: number;
  /** Maximum number of concurrent requests on one HTTP/2 connection; a server may allow fewer. @default 100 */
  readonly maxConcurrentStreams?: number;
  /** How TLS connections are made: certificates, verification, versions. */
  readonly tls?: TlsOptions;
  /** How host names are resolved. */
  readonly dns?: DnsOptions;
  /**
   * Addresses for host names, instead of DNS:
   * `{ "shop.example": "127.0.0.1", "api.example": ["10.0.0.1", "10.0.0.2"] }`. Either side may have a port,
   * as in curl's `--connect-to`: `{ "shop.example:443": "127.0.0.1:8443" }`. With `proxy`, this applies to
   * the proxy's host only: the proxy resolves all others. @default none
   */
  readonly hosts?: Readonly<Record<string, string | readonly string[]>>;
  /**
   * A proxy. `[http://][user:password@]host:port` or, over TLS, `https://…`: tunnels https and HTTP/2 with
   * `CONNECT`, forwards http. `socks5h://…` (the proxy resolves hosts) or `socks5://…` (the load generator
   * does). An empty string: no proxy. @default none: environment variables such as `HTTP_PROXY` are ignored
   */
  readonly proxy?: string | undefined;
  /**
   * Hosts to connect to without the proxy, by the rules of curl and Go for `NO_PROXY`: names (with subdomains), addresses,
   * networks such as `"10.0.0.0/8"`, `"*"`, `"*.internal"`, `"localhost:8080"`. An array, or a string with commas. @default none
   */
  readonly noProxy?: string | readonly string[] | undefined;
  /** Path of a Unix socket to connect to instead of any host. @default none */
  readonly unixSocket?: string;
  /** Local addresses to connect from, in turn. @default chosen by the system */
  readonly localAddresses?: readonly string[];
  /**
   * Credentials for each request without an `auth` of its own. A redirect to another origin does not forward
   * them. @default none
   */
  readonly auth?: Auth;
  /** Maximum number of redirects that a request follows. @default 10 */
  readonly redirects?: number;
  /** Statuses that count as success, for `http_req_failed`. @default { min: 200, max: 399 } */
  readonly expect?: number | StatusRange | readonly (number | StatusRange)[];
  /** Throws `RequestFailedError` instead of returning a failed response. @default false */
  readonly throwOnError?: boolean;
  /**
   * Retries a request once if that is safe: see `retryOnStaleConnection` of `RequestOptions`. @default false
   */
  readonly retryOnStaleConnection?: boolean;
  /**
   * Sends a `traceparent` header (W3C Trace Context) with each request that has none, so that the target's
   * traces show the request. It belongs to the OpenTelemetry span that is active in the test, or else to a
   * new trace. @default false
   */
  readonly traceparent?: boolean;
  /**
   * Sends the target's own `origin` header with each POST, PUT, PATCH and DELETE request that has none, as a
   * browser does on the target's pages: sites reject forms of other origins. If such a request has an
   * `origin` or `referer`, it is resolved like a URL: relative to `baseUrl`, and moved by `--target`.
   * @default false
   */
  readonly origin?: boolean;
}
