import type { HttpPhase, KnownHttpErrorCode } from "@bearhug/sdk";

import { DialError } from "../../src/net/dial-tcp.ts";
import type { FailureInfo } from "../../src/failures/failure-info.ts";
import { RequestTimeout } from "../../src/failures/request-stopped.ts";
import { tlsErrorsByCause } from "../../src/failures/tls-failed.ts";
import { ConnectFailure } from "../../src/net/connect-failure.ts";

/** An error that is thrown in a phase of a request, and its expected description. */
export interface FailureRow {
  readonly what: string;
  readonly error: unknown;
  readonly phase: HttpPhase;
  readonly facts?: Partial<FailureInfo>;
  readonly code: KnownHttpErrorCode;
  readonly cause?: string;
  /** Text that the message contains besides the origin. */
  readonly says?: string;
}

export const origin = "http://shop.example:8080";
const proxy = "proxy.example:3128";

/** Makes an error like those of the system. */
export function system(code: string, message = `connect ${code} 192.0.2.7:8080`): Error {
  return Object.assign(new Error(message), { code });
}

const lookUps: readonly FailureRow[] = [
  ...["ENOTFOUND", "ENODATA", "EBADNAME", "EAI_NODATA", "EAI_ADDRFAMILY", "EAI_NONAME"].map((code) => ({
    what: `look-up: ${code}`,
    error: system(code),
    phase: "lookingUp" as const,
    code: "DNS_NOT_FOUND" as const,
    cause: code,
  })),
  ...["EAI_AGAIN", "EAI_FAIL", "ESERVFAIL", "ETIMEOUT", "EREFUSED", "ECONNREFUSED", "EBADRESP"].map(
    (code) => ({
      what: `look-up: ${code}`,
      error: system(code),
      phase: "lookingUp" as const,
      code: "DNS_FAILED" as const,
      cause: code,
    }),
  ),
  {
    what: "look-up: no file descriptor",
    error: system("EMFILE"),
    phase: "lookingUp",
    code: "TOO_MANY_OPEN_FILES",
  },
];

const connecting: readonly FailureRow[] = (
  [
    ["ECONNREFUSED", "CONNECTION_REFUSED"],
    ["ETIMEDOUT", "CONNECT_TIMEOUT"],
    ["EHOSTUNREACH", "HOST_UNREACHABLE"],
    ["EHOSTDOWN", "HOST_UNREACHABLE"],
    ["ENETUNREACH", "NETWORK_UNREACHABLE"],
    ["ENETDOWN", "NETWORK_UNREACHABLE"],
    ["EADDRNOTAVAIL", "PORTS_EXHAUSTED"],
    ["EADDRINUSE", "PORTS_EXHAUSTED"],
    ["EAFNOSUPPORT", "ADDRESS_UNAVAILABLE"],
    ["EINVAL", "ADDRESS_UNAVAILABLE"],
    ["EMFILE", "TOO_MANY_OPEN_FILES"],
    ["ENFILE", "TOO_MANY_OPEN_FILES"],
    ["ENOENT", "SOCKET_NOT_FOUND"],
    ["ENOTDIR", "SOCKET_NOT_FOUND"],
    ["EACCES", "ACCESS_DENIED"],
    ["EPERM", "ACCESS_DENIED"],
    ["ECONNRESET", "CONNECTION_RESET"],
  ] as const
).map(([cause, code]) => ({
  what: `connecting: ${cause}`,
  error: system(cause),
  phase: "connecting",
  code,
  cause,
  says: "192.0.2.7:8080".slice(0, cause === "ECONNRESET" ? 0 : undefined),
}));

const dialled: readonly FailureRow[] = [
  {
    what: "an unavailable local address",
    error: new DialError("bind EADDRNOTAVAIL 192.0.2.1", "BEARHUG_ADDRESS_UNAVAILABLE", ["192.0.2.7"]),
    phase: "connecting",
    code: "ADDRESS_UNAVAILABLE",
    says: "localAddresses",
  },
  {
    what: "several addresses, each refused",
    error: new AggregateError([system("ECONNREFUSED"), system("ENETUNREACH")]),
    phase: "connecting",
    code: "CONNECTION_REFUSED",
    cause: "ECONNREFUSED",
  },
];

const proxies: readonly FailureRow[] = [
  ...(
    [
      ["ECONNREFUSED", undefined, "PROXY_UNREACHABLE"],
      ["EHOSTUNREACH", undefined, "PROXY_UNREACHABLE"],
      ["ENOTFOUND", undefined, "PROXY_UNREACHABLE"],
      ["ECONNRESET", undefined, "PROXY_FAILED"],
      [undefined, undefined, "PROXY_FAILED"],
      [undefined, 407, "PROXY_AUTH_REQUIRED"],
      [undefined, 403, "PROXY_REFUSED"],
      [undefined, 502, "PROXY_REFUSED"],
    ] as const
  ).map(([cause, status, code]): FailureRow => ({
    what: `a proxy: ${cause ?? status ?? "nonsense"}`,
    error: new ConnectFailure({
      kind: "proxy",
      reason: `the proxy ${proxy} said no`,
      ...(cause === undefined ? {} : { cause }),
      ...(status === undefined ? {} : { status }),
    }),
    phase: "connecting",
    code,
    ...(cause === undefined ? {} : { cause }),
    says: `${proxy} said no`,
  })),
  {
    what: "a proxy that does not respond in time",
    error: new RequestTimeout("connect", 300),
    phase: "connecting",
    facts: { proxy },
    code: "PROXY_TIMEOUT",
    says: proxy,
  },
];

const tls: readonly FailureRow[] = [
  ...[...tlsErrorsByCause].map(([cause, { code }]) => ({
    what: `TLS: ${cause}`,
    error: system(cause, "the words of OpenSSL"),
    phase: "tlsHandshaking" as const,
    code,
    says: "the words of OpenSSL",
    ...(cause.startsWith("BEARHUG_") ? {} : { cause }),
  })),
  ...["EPROTO", "ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR", "ERR_TLS_HANDSHAKE_TIMEOUT"].map((cause) => ({
    what: `TLS: ${cause}`,
    error: system(cause, "the words of OpenSSL"),
    phase: "tlsHandshaking" as const,
    code: "TLS_FAILED" as const,
    cause,
  })),
  {
    what: "TLS: another protocol than HTTP/2",
    error: new ConnectFailure({ kind: "notNegotiated", reason: "the server negotiated no protocol" }),
    phase: "tlsHandshaking",
    code: "TLS_ALPN_MISMATCH",
    says: "protocol",
  },
];

/** Failures before a request is sent. */
export const openingFailures: readonly FailureRow[] = [
  ...lookUps,
  ...connecting,
  ...dialled,
  ...proxies,
  ...tls,
];
