import type { KnownHttpErrorCode } from "@bearhug/sdk";
import { foreignLine, foreignSentence, type ForeignText } from "@bearhug/text/foreign-text";

import { addressUnavailable } from "../net/dial-tcp.ts";
import { describeLostConnection, type ConnectionEnd } from "./phase-failures.ts";
import type { DescribedFailure, FailureInfo } from "./failure-info.ts";
import { messageOf } from "./thrown-fields.ts";

interface SystemError {
  readonly code: KnownHttpErrorCode;
  readonly problem: string;
}

/** Errors from the peer or the network when a connection could not be opened. */
const peerErrors = new Map(
  Object.entries<SystemError>({
    ECONNREFUSED: {
      code: "CONNECTION_REFUSED",
      problem: "connection refused; check the port and firewall",
    },
    ETIMEDOUT: {
      code: "CONNECT_TIMEOUT",
      problem: "the connection was not accepted before the operating system's timeout",
    },
    EHOSTUNREACH: { code: "HOST_UNREACHABLE", problem: "the host is unreachable" },
    EHOSTDOWN: { code: "HOST_UNREACHABLE", problem: "the host is down" },
    ENETUNREACH: { code: "NETWORK_UNREACHABLE", problem: "this machine has no route to this network" },
    ENETDOWN: { code: "NETWORK_UNREACHABLE", problem: "this machine's network is down" },
    ENOENT: { code: "SOCKET_NOT_FOUND", problem: "there is no unix socket at the path (unixSocket)" },
    ENOTDIR: { code: "SOCKET_NOT_FOUND", problem: "there is no unix socket at the path (unixSocket)" },
  }),
);

const portsExhausted: SystemError = {
  code: "PORTS_EXHAUSTED",
  problem: "the load generator ran out of local ports: reuse connections, or add localAddresses",
};
const addressMissing: SystemError = {
  code: "ADDRESS_UNAVAILABLE",
  problem: "the local address (localAddresses) or the address family cannot be used here",
};
const accessDenied: SystemError = {
  code: "ACCESS_DENIED",
  problem: "this machine's operating system denied the connection",
};

/** Errors of the load generator, whatever it connects to. */
const ownErrors = new Map(
  Object.entries<SystemError>({
    EADDRNOTAVAIL: portsExhausted,
    EADDRINUSE: portsExhausted,
    EAFNOSUPPORT: addressMissing,
    EINVAL: addressMissing,
    [addressUnavailable]: addressMissing,
    EMFILE: {
      code: "TOO_MANY_OPEN_FILES",
      problem: "the load generator ran out of file descriptors: raise ulimit -n, or lower maxConnections",
    },
    ENFILE: {
      code: "TOO_MANY_OPEN_FILES",
      problem: "this machine ran out of file descriptors (fs.file-max)",
    },
    EACCES: accessDenied,
    EPERM: accessDenied,
  }),
);

const lostConnections = new Map(
  Object.entries<ConnectionEnd>({
    ECONNRESET: "reset",
    EPIPE: "reset",
    ECONNABORTED: "reset",
    ENETRESET: "reset",
    ENOTCONN: "reset",
  }),
);

const isDns: ReadonlySet<string> = new Set([
  "ENOTFOUND",
  "ENODATA",
  "EBADNAME",
  "EAI_NODATA",
  "EAI_NONAME",
  "EAI_ADDRFAMILY",
]);

/** Describes a system error; null for an unknown code. */
export function describeSystemError(
  cause: string,
  error: unknown,
  info: FailureInfo,
): DescribedFailure | null {
  const { phase, origin } = info;
  const own = ownErrors.get(cause);
  if (own !== undefined)
    return { code: own.code, message: foreignSentence`${origin}: ${own.problem}${detail(error)}` };
  const end = lostConnections.get(cause);
  if (end !== undefined) return describeLostConnection(end, info);
  if (phase === "lookingUp" || isDns.has(cause) || cause.startsWith("EAI_"))
    return describeLookUp(cause, error, info);
  if (cause === "ETIMEDOUT" && phase !== "connecting") {
    const message = foreignSentence`${origin}: the operating system gave up the connection while ${phase}: the peer stopped acknowledging data`;
    return { code: "RESPONSE_TIMEOUT", message };
  }
  const peer = peerErrors.get(cause);
  if (peer === undefined) return null;
  return { code: peer.code, message: foreignSentence`${origin}: ${peer.problem}${detail(error)}` };
}

function describeLookUp(cause: string, error: unknown, { origin }: FailureInfo): DescribedFailure {
  if (isDns.has(cause))
    return {
      code: "DNS_NOT_FOUND",
      message: foreignSentence`${origin}: the host name has no address${detail(error)}`,
    };
  return {
    code: "DNS_FAILED",
    message: foreignSentence`${origin}: the host name could not be resolved${detail(error)}`,
  };
}

/** Returns the system's own message, which contains the address. */
function detail(error: unknown): ForeignText | string {
  const message = messageOf(error);
  return message === null ? "" : foreignSentence` (${foreignLine(message)})`;
}
