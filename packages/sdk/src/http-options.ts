import type { Duration } from "./duration.ts";
import type { HeaderFields } from "./fields.ts";
import type { StatusRange } from "./status-range.ts";

/**
 * How requests are sent: of a whole test, or of one scenario, whose options replace the test's one by one
 * (`tls`, `dns` and `headers` as a whole, `timeout` part by part).
 */
export interface HttpOptions {
  /**
   * Headers of every request, by the rules that hold for those of a request; those of the request itself replace them.
   * A `cookie` replaces the virtual user's cookies.
   */
  readonly headers?: HeaderFields;
  /**
   * The longest times of every exchange, where the request says nothing else. A time alone is the whole's; parts that a
   * scenario leaves out are as in its test. @default "60s" for the whole
   */
  readonly timeout?: Duration | Timeouts;
  /** Whether bodies of responses are counted and thrown away: reading one then throws. @default false */
  readonly discardBodies?: boolean;
  /** The longest body, in bytes as they arrive; a longer one is the error `BODY_TOO_LARGE`. @default no bound */
  readonly maxBodySize?: number;
  /**
   * How long a virtual user keeps its cookies: for one iteration, which is then a new visitor's, from iteration to
   * iteration, or not at all. @default "iteration"
   */
  readonly cookies?: "iteration" | "vu" | "off";
  /**
   * `"browser"` answers from a cache as a returning visitor's browser would, by `cache-control`, `expires`, `etag` and
   * `last-modified`. It lives as long as the cookies do, with `cookies: "off"` as long as the virtual user. @default "none"
   */
  readonly cache?: "none" | "browser";
  /**
   * Whose connections are: each virtual user's own, shared by all of a worker, or opened for each request and closed
   * after it. @default "perVu"
   */
  readonly connections?: "perVu" | "shared" | "perRequest";
  /**
   * The most connections to one host: of each virtual user, or of each worker where they are shared.
   * @default 6 of each virtual user on HTTP/1.1, as browsers have, and 1 on HTTP/2; shared: as many as are needed, 1 on HTTP/2
   */
  readonly maxConnections?: number;
  /** A connection is closed after so many requests. @default no bound */
  readonly maxRequestsPerConnection?: number;
  /**
   * `"auto"` speaks what TLS negotiates (ALPN), HTTP/1.1 without TLS. `"http2"` is never less, `"h2c"` is HTTP/2 without
   * TLS and without being asked (prior knowledge). @default "auto"
   */
  readonly protocol?: "auto" | "http1" | "http2" | "h2c";
  /** The most requests at a time on one HTTP/2 connection; a server may allow fewer. @default 100 */
  readonly maxConcurrentStreams?: number;
  readonly tls?: TlsOptions;
  readonly dns?: DnsOptions;
  /**
   * Addresses for hosts, instead of looking them up: `{ "shop.example": "127.0.0.1", "api.example": ["10.0.0.1", "10.0.0.2"] }`.
   * Either side may have a port, as in curl's `--connect-to`: `{ "shop.example:443": "127.0.0.1:8443" }`.
   * With `proxy` only the proxy's own host is looked up here: it looks up the others itself.
   */
  readonly hosts?: Readonly<Record<string, string | readonly string[]>>;
  /**
   * A proxy. `http://[user:password@]host:port` or, in TLS, `https://…`: asked to `CONNECT` for https and HTTP/2, to forward
   * for http. `socks5h://…` (the proxy looks hosts up) or `socks5://…` (the load generator does).
   * @default none: variables of the environment are not read
   */
  readonly proxy?: string | undefined;
  /**
   * Hosts that are reached without the proxy, by curl's rules for `NO_PROXY`: names (with all below them), addresses,
   * networks such as `"10.0.0.0/8"`, `"*"`. A list, or a text with commas. @default none
   */
  readonly noProxy?: string | readonly string[] | undefined;
  /** The path of a unix socket, to which every connection goes instead: no host is looked up. @default none */
  readonly unixSocket?: string;
  /** Addresses of this machine that connections come from, in turn. @default what the system picks */
  readonly localAddresses?: readonly string[];
  /** How many redirects each request follows. @default 10 */
  readonly redirects?: number;
  /** Statuses that count as success, deciding `http_req_failed`. @default { min: 200, max: 399 } */
  readonly expect?: number | StatusRange | readonly (number | StatusRange)[];
  /** Throw `RequestFailedError` instead of returning a response that failed. @default false */
  readonly throwOnError?: boolean;
  /** Repeat a request once where that is safe; see the option of a request. @default false */
  readonly retryOnStaleConnection?: boolean;
}

/**
 * The longest times of an exchange. A part that is left out is as said where this does not go before: by the scenario,
 * by the test; said nowhere, it has no bound of its own.
 */
export interface Timeouts {
  /** To open a connection: look-up, TCP, proxy and TLS. */
  readonly connect?: Duration;
  /** From the request written to the first byte of the response. */
  readonly firstByte?: Duration;
  /** The whole exchange, waiting for a connection included. @default "60s" */
  readonly whole?: Duration;
}

/** How TLS connections are made. Certificates and keys are PEM: the text itself, or the path of a file that holds it. */
export interface TlsOptions {
  /** Authorities to trust instead of Node's own. */
  readonly ca?: string | readonly string[];
  /** The client's certificate, with its chain. */
  readonly cert?: string;
  /** The client's key. */
  readonly key?: string;
  readonly passphrase?: string;
  /** The name that is asked for (SNI) and must be in the certificate. @default the host of the address */
  readonly serverName?: string;
  /** Whether a certificate that nobody vouches for is accepted. @default false */
  readonly insecureSkipTlsVerify?: boolean;
  /** @default "1.2" */
  readonly minVersion?: "1.0" | "1.1" | "1.2" | "1.3";
  /** @default "1.3" */
  readonly maxVersion?: "1.0" | "1.1" | "1.2" | "1.3";
  /** Cipher suites in OpenSSL's words. @default Node's */
  readonly ciphers?: string;
  /** Whether later connections of a virtual user resume its TLS session, as browsers do. @default true */
  readonly resumeSessions?: boolean;
}

/** How hosts' names become addresses. */
export interface DnsOptions {
  /** How long an answer is used again; 0 asks for each connection. @default "60s" */
  readonly ttl?: Duration;
  /** Which family is taken where there are both, or which alone. @default "preferIPv4" */
  readonly policy?: "preferIPv4" | "preferIPv6" | "onlyIPv4" | "onlyIPv6" | "any";
  /** Which of several addresses a connection goes to. @default "roundRobin" */
  readonly select?: "first" | "roundRobin" | "random";
  /** Name servers to ask instead of the system's resolver, such as `"10.0.0.2"` or `"127.0.0.1:5353"`. */
  readonly servers?: readonly string[];
}
