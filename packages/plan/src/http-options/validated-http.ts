import type { Auth, HttpOptions, StatusRange } from "@bearhug/sdk";
import type { ValidatedDns } from "./dns.ts";
import type { GivenTimeouts, ValidatedTimeouts } from "./timeouts.ts";
import type { ValidatedTls } from "./tls.ts";

/** Options whose validated form differs from the form in tests. */
interface ValidatedForms {
  /** Names and values alternate. */
  readonly headers: readonly string[];
  readonly timeout: ValidatedTimeouts;
  /** Null for no limit. */
  readonly maxBodySize: number | null;
  /** Null for the default of the protocol and of `connections`. */
  readonly maxConnections: number | null;
  /** Null for no limit. */
  readonly maxRequestsPerConnection: number | null;
  /** In milliseconds; null for no limit. */
  readonly maxConnectionAge: number | null;
  readonly tls: ValidatedTls;
  readonly dns: ValidatedDns;
  /** Addresses, with or without a port, by host in lower case, with or without a port. */
  readonly hosts: Readonly<Record<string, readonly string[]>>;
  readonly proxy: string | null;
  readonly noProxy: readonly string[];
  readonly unixSocket: string | null;
  readonly auth: Auth | null;
  /** Null for 200 to 399. */
  readonly expect: readonly StatusRange[] | null;
}

/** The options of `http` with defaults filled in and times in milliseconds. Plain data. */
export type ValidatedHttp = {
  readonly [Name in keyof HttpOptions]-?: Name extends keyof ValidatedForms
    ? ValidatedForms[Name]
    : NonNullable<HttpOptions[Name]>;
};

/** The options that a test, a scenario or a flag sets. */
export type GivenHttp = {
  readonly [Name in keyof ValidatedHttp]?: GivenOption<Name> | undefined;
};

/** The value of an option that is set; a timeout may have some of its parts only. */
export type GivenOption<Name extends keyof ValidatedHttp> = Name extends "timeout"
  ? GivenTimeouts
  : NonNullable<ValidatedHttp[Name]>;

/** The values of `http.protocol`: the version of each (null if TLS negotiates it), and its name in help. */
export const protocols: Readonly<
  Record<ValidatedHttp["protocol"], { readonly version: "HTTP/1.1" | "HTTP/2" | null; readonly help: string }>
> = {
  auto: { version: null, help: "auto" },
  http1: { version: "HTTP/1.1", help: "http1" },
  http2: { version: "HTTP/2", help: "http2" },
  h2c: { version: "HTTP/2", help: "h2c (HTTP/2 without TLS)" },
};
