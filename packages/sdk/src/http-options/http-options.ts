import type { Auth } from "../http/auth.ts";
import type { Duration } from "../duration/duration.ts";
import type { HeaderFields } from "../http/fields.ts";
import type { StatusRange } from "../http/status-range.ts";

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
   * Default request timeouts. A single time sets `whole`; parts that a
   * scenario leaves out come from its test. @default "60s" for the whole exchange
   */
  readonly timeout?: Duration | Timeouts;
  /** Counts the bytes of response bodies but does not keep them: reading one throws. @default false */
  readonly discardBodies?: boolean;
  /** Maximum response body in bytes on the wire; a longer one fails with `BODY_TOO_LARGE`. @default no limit */
  readonly maxBodySize?: number;
  /**
   * How long a virtual user keeps its cookies: for one iteration (each is a new visitor), for all its iterations, or not
   * at all. @default "iteration"
   */
  readonly cookies?: "iteration" | "vu" | "off";
  /**
   * `"browser"` gives each virtual user a browser cache that obeys `cache-control`, `expires`, `etag` and
   * `last-modified`. It is kept as long as the cookies; with `cookies: "off"`, as long as the virtual user. @default "none"
   */
  readonly cache?: "none" | "browser";
  /**
   * Whether each virtual user has its own connections, all of a worker share them, or each request opens and closes
   * one. @default "perVu"
   */
  readonly connections?: "perVu" | "shared" | "perRequest";
  /**
   * Maximum number of connections to one host, for each virtual user, or for each worker if they are shared.
   * @default 6 on HTTP/1.1, as in browsers, and 1 on HTTP/2; if shared, no limit on HTTP/1.1
   */
  readonly maxConnections?: number;
  /** Closes a connection after this many requests. @default no limit */
  readonly maxRequestsPerConnection?: number;
  /**
   * `"auto"` uses what TLS negotiates (ALPN), and HTTP/1.1 without TLS. `"http2"` requires HTTP/2. `"h2c"` is HTTP/2
   * without TLS (prior knowledge). @default "auto"
   */
  readonly protocol?: "auto" | "http1" | "http2" | "h2c";
  /**
   * The HTTP client that speaks on the connections: bearhug's own, or an undici `Client` for each. The pool, DNS, TCP, TLS
   * and proxies are bearhug's with both. @default "bearhug"
   */
  readonly transport?: "bearhug" | "undici";
  /** Maximum number of concurrent requests on one HTTP/2 connection; a server may allow fewer. @default 100 */
  readonly maxConcurrentStreams?: number;
  readonly tls?: TlsOptions;
  readonly dns?: DnsOptions;
  /**
   * Addresses for host names, instead of DNS: `{ "shop.example": "127.0.0.1", "api.example": ["10.0.0.1", "10.0.0.2"] }`.
   * Either side may have a port, as in curl's `--connect-to`: `{ "shop.example:443": "127.0.0.1:8443" }`.
   * With `proxy`, this applies to the proxy's host: the proxy looks up all others.
   */
  readonly hosts?: Readonly<Record<string, string | readonly string[]>>;
  /**
   * A proxy. `http://[user:password@]host:port` or, in TLS, `https://…`: tunnels https and HTTP/2 with `CONNECT`,
   * forwards http. `socks5h://…` (the proxy looks hosts up) or `socks5://…` (the load generator does).
   * @default none: environment variables such as `HTTP_PROXY` are ignored
   */
  readonly proxy?: string | undefined;
  /**
   * Hosts to connect to without the proxy, by curl's rules for `NO_PROXY`: names (with subdomains), addresses,
   * networks such as `"10.0.0.0/8"`, `"*"`. An array, or a string with commas. @default none
   */
  readonly noProxy?: string | readonly string[] | undefined;
  /** Path of a Unix socket to connect to instead of any host. @default none */
  readonly unixSocket?: string;
  /** Local addresses to connect from, in turn. @default chosen by the system */
  readonly localAddresses?: readonly string[];
  /** Credentials of every request that has no `auth` itself; not sent on by a redirect to another origin. @default none */
  readonly auth?: Auth;
  /** Maximum number of redirects that a request follows. @default 10 */
  readonly redirects?: number;
  /** Statuses that count as success, for `http_req_failed`. @default { min: 200, max: 399 } */
  readonly expect?: number | StatusRange | readonly (number | StatusRange)[];
  /** Throws `RequestFailedError` instead of returning a failed response. @default false */
  readonly throwOnError?: boolean;
  /** Retries a request once if that is safe; see the option of a request. @default false */
  readonly retryOnStaleConnection?: boolean;
}

/**
 * The timeouts of an exchange. A part that you leave out comes from the scenario, else from the test, else it has no
 * timeout of its own.
 */
export interface Timeouts {
  /** For opening a connection: DNS, TCP, proxy and TLS. */
  readonly connect?: Duration;
  /** From the end of the request to the first byte of the response. */
  readonly firstByte?: Duration;
  /** The whole exchange, including the wait for a connection. @default "60s" */
  readonly whole?: Duration;
}

/** How TLS connections are made. Certificates and keys are PEM: the text itself, or the path of a PEM file. */
export interface TlsOptions {
  /** Certificate authorities to trust instead of Node's own. */
  readonly ca?: string | readonly string[];
  /** The client certificate, with its chain. */
  readonly cert?: string;
  /** The key of the client certificate. */
  readonly key?: string;
  readonly passphrase?: string;
  /**
   * A client certificate for each virtual user, by its `vu.index`; beyond the last, the first is used again. Virtual users with
   * different certificates share no connection and no TLS session. @default what `cert` and `key` say
   */
  readonly clients?: readonly TlsClient[];
  /** The name to ask for (SNI) and to verify in the certificate. @default the host of the URL */
  readonly serverName?: string;
  /** Skips TLS certificate verification. @default false */
  readonly insecureSkipTlsVerify?: boolean;
  /** @default "1.2" */
  readonly minVersion?: "1.0" | "1.1" | "1.2" | "1.3";
  /** @default "1.3" */
  readonly maxVersion?: "1.0" | "1.1" | "1.2" | "1.3";
  /** Cipher suites in OpenSSL's notation. @default Node's */
  readonly ciphers?: string;
  /** Resumes a virtual user's TLS session on later connections, as browsers do. @default true */
  readonly resumeSessions?: boolean;
}

/** A client certificate. PEM: the text itself, or the path of a PEM file. */
export interface TlsClient {
  /** With its chain. */
  readonly cert: string;
  readonly key: string;
  readonly passphrase?: string;
}

/** How host names are resolved. */
export interface DnsOptions {
  /** How long an answer is cached; 0 resolves for each connection. @default "60s" */
  readonly ttl?: Duration;
  /** Which address family to prefer, or to use alone. @default "preferIPv4" */
  readonly policy?: "preferIPv4" | "preferIPv6" | "onlyIPv4" | "onlyIPv6" | "any";
  /** Which of several addresses to connect to. @default "roundRobin" */
  readonly select?: "first" | "roundRobin" | "random";
  /** Name servers to query instead of the system's resolver, such as `"10.0.0.2"` or `"127.0.0.1:5353"`. */
  readonly servers?: readonly string[];
}
