import type { Auth } from "../http/auth.ts";
import type { StatusRange } from "../http/status-range.ts";
import type { TransportName } from "./transport-names.ts";

/** How requests are sent, decided: defaults filled in, times in ms. Plain data. */
export interface ValidatedHttp {
  /** Names and values, in turn. */
  readonly headers: readonly string[];
  readonly timeouts: ValidatedTimeouts;
  readonly discardBodies: boolean;
  /** Null: no bound. */
  readonly maxBodyBytes: number | null;
  readonly cookies: "iteration" | "vu" | "off";
  readonly cache: "none" | "browser";
  readonly connections: "perVu" | "shared" | "perRequest";
  /** Null: what fits the protocol and whose they are. */
  readonly maxConnections: number | null;
  /** Null: no bound. */
  readonly maxRequestsPerConnection: number | null;
  readonly protocol: "auto" | "http1" | "http2" | "h2c";
  readonly transport: TransportName;
  readonly maxConcurrentStreams: number;
  readonly tls: ValidatedTls;
  readonly dns: ValidatedDns;
  /** Addresses, with or without a port, by host in lower case, with or without a port. */
  readonly hosts: Readonly<Record<string, readonly string[]>>;
  readonly proxy: string | null;
  /** Hosts, addresses and networks that are reached without the proxy. */
  readonly noProxy: readonly string[];
  readonly unixSocket: string | null;
  readonly localAddresses: readonly string[];
  /** Null: nobody. */
  readonly auth: Auth | null;
  readonly redirects: number;
  /** Null: 200 to 399. */
  readonly expect: readonly StatusRange[] | null;
  readonly throwOnError: boolean;
  readonly retryOnStaleConnection: boolean;
}

/** Null: no bound of its own. */
export interface ValidatedTimeouts {
  readonly connectMs: number | null;
  readonly firstByteMs: number | null;
  readonly wholeMs: number;
}

/** Certificates and keys are PEM, or the path of a file that holds it. */
export interface ValidatedTls {
  /** Null: Node's own authorities. */
  readonly ca: readonly string[] | null;
  readonly cert: string | null;
  readonly key: string | null;
  readonly passphrase: string | null;
  /** One for each virtual user in turn; empty: all have the one above. */
  readonly clients: readonly ValidatedTlsClient[];
  readonly serverName: string | null;
  readonly insecureSkipTlsVerify: boolean;
  readonly minVersion: TlsVersion;
  readonly maxVersion: TlsVersion;
  readonly ciphers: string | null;
  readonly resumeSessions: boolean;
}

export interface ValidatedTlsClient {
  readonly cert: string;
  readonly key: string;
  readonly passphrase: string | null;
}

export type TlsVersion = "1.0" | "1.1" | "1.2" | "1.3";

export interface ValidatedDns {
  readonly ttlMs: number;
  readonly policy: "preferIPv4" | "preferIPv6" | "onlyIPv4" | "onlyIPv6" | "any";
  readonly select: "first" | "roundRobin" | "random";
  /** Empty: the system's resolver. */
  readonly servers: readonly string[];
}
