import type { Config, Duration, HttpOptions, Reporter } from "@bearhug/sdk";

/**
 * Options of `runTest`: those of `bearhug run`, typed. They override the test's own. `Config` declares those that a
 * project's configuration has, too.
 */
export interface RunTestOptions extends Omit<Config, "tests" | "out" | "workers" | "together" | "quiet"> {
  /** Load this site instead of the test's `baseUrl`. */
  readonly target?: string | URL;
  /** Number of virtual users. A test with several scenarios also needs `scenario`. */
  readonly vus?: number;
  /** Duration of the load. */
  readonly duration?: Duration;
  /** Total iterations, shared by the VUs. */
  readonly iterations?: number;
  /**
   * Iterations to start, however slow the target is: a number is per second; `"30k/m"` is 30,000 per minute.
   * `vus` then limits the virtual users.
   */
  readonly rate?: number | string;
  /** Spacing of arrivals at a rate. @default the scenario's setting, otherwise "uniform" */
  readonly arrivals?: "uniform" | "poisson";
  /** Run only these scenarios. @default all */
  readonly scenario?: string | readonly string[];
  /**
   * Values of variables that the test declares. They override `envFile`, which overrides the process's
   * environment.
   */
  readonly env?: Readonly<Record<string, string>>;
  /** Tags of every sample. */
  readonly tags?: Readonly<Record<string, string>>;
  /** Thresholds to add: `{ http_req_duration: ["p(95)<300ms"] }`. */
  readonly thresholds?: Readonly<Record<string, string | readonly string[]>>;
  /** End the run as soon as one of `thresholds` fails. @default false */
  readonly abortOnFail?: boolean;
  /** Worker threads; 0 runs in this thread. A test object always runs in this thread. @default cores − 1 */
  readonly workers?: number;
  /** Apply load for this long before measuring. */
  readonly warmup?: Duration;
  /**
   * The share of requests and of iterations that may fail: `"5%"`. @default 5 % of those that no threshold
   * judges
   */
  readonly maxFailed?: string;
  /**
   * Accept that all requests may fail, and that the target may become unavailable. @default the test's
   * setting
   */
  readonly expectFailures?: boolean;
  /** Judge times and rates even if the load generator was saturated. @default false */
  readonly allowSaturated?: boolean;
  /**
   * Servers and processes to read once a second, by name: the address of an exporter, with further families
   * after commas, or the id of a process of this machine.
   * `{ web: "http://10.0.0.5:9100,node_load1", app: 1234 }`
   */
  readonly monitors?: Readonly<Record<string, string | number>>;
  readonly protocol?: NonNullable<HttpOptions["protocol"]>;
  /** The HTTP client to send with. */
  readonly transport?: NonNullable<HttpOptions["transport"]>;
  /** Maximum number of concurrent requests on one HTTP/2 connection. */
  readonly maxConcurrentStreams?: number;
  /** Close a connection after this many requests. */
  readonly maxRequestsPerConnection?: number;
  /** Close a connection at this age, to pick up changes in DNS. */
  readonly maxConnectionAge?: Duration;
  /** Open a new connection for each request. @default false */
  readonly noKeepAlive?: boolean;
  /** Default request timeout. */
  readonly timeout?: Duration;
  /** Skip TLS certificate verification. @default false */
  readonly insecure?: boolean;
  /** Trust only the certificate authorities in this file: PEM or DER. */
  readonly ca?: string;
  /** The client certificate: a file with PEM, DER or PKCS #12 (PFX). */
  readonly cert?: string;
  /** The private key of the client certificate, unless its file has it: a file with PEM or DER. */
  readonly key?: string;
  /** The passphrase of the private key, or of the PKCS #12. */
  readonly pass?: string;
  /** Send requests through this proxy. */
  readonly proxy?: string;
  /** Connect to these hosts without the proxy: `"localhost,*.internal,10.0.0.0/8"`. */
  readonly noProxy?: string;
  /** Connect to these addresses instead of the hosts: `{ "shop.test:443": "127.0.0.1:8443" }`. */
  readonly resolve?: Readonly<Record<string, string>>;
  /** Connect to this Unix socket instead of the host. */
  readonly unixSocket?: string;
  /** Count response bytes without keeping bodies. @default false */
  readonly discardBodies?: boolean;
  /** Send a `traceparent` header with each request. @default false */
  readonly traceparent?: boolean;
  /** Reports to write, in the syntax of `--out`: `["json=result.json", "junit"]`. */
  readonly out?: readonly string[];
  /** Single requests to write to `ndjson=FILE` of `out`: `"all"`, `"errors"`, or a share such as `"1%"`. */
  readonly samples?: string;
  /**
   * Ends the run early, like one Ctrl+C: running iterations may finish within their `gracefulStop`, teardown
   * runs, and the result's verdict is `interrupted`.
   */
  readonly signal?: AbortSignal;
  /** Reporters that watch the run from this thread, which they must not block. */
  readonly reporters?: readonly Reporter[];
  /** Called with each warning, and with each message that the test logs. @default they are dropped */
  readonly onMessage?: (message: string) => void;
}
