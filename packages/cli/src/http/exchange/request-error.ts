import type { HttpErrorInfo, HttpPhase } from "@bearhug/sdk";

/** Where in the life of a request it failed. */
export type RequestPhase = HttpPhase;

/** What the engine knows of a failed request besides the error itself. */
export interface FailureFacts {
  readonly phase: RequestPhase;
  /** The connection had carried a request before this one. */
  readonly isReused: boolean;
  readonly origin: string;
  readonly bodyBytes: number;
}

/** Time was up; thrown by nobody, made when a deadline expires. */
export class RequestTimeout extends Error {
  override readonly name = "RequestTimeout";
  readonly timeoutMs: number;
  constructor(timeoutMs: number) {
    super(`no complete response within ${timeoutMs} ms`);
    this.timeoutMs = timeoutMs;
  }
}

interface Classified {
  readonly code: string;
  readonly message: string;
}

/** Gives a failed request its code, and a sentence that says what happened and where. */
export function describeFailure(error: unknown, facts: FailureFacts): HttpErrorInfo {
  const cause = causeOf(error);
  const { code, message } = (error instanceof RequestTimeout ? timedOut(error, facts) : undefined) ??
    malformed(error, facts) ??
    (cause === null ? undefined : byCause(cause, facts)) ?? {
      code: "REQUEST_FAILED",
      message: `the request to ${facts.origin} failed while ${facts.phase}: ${messageOf(error)}`,
    };
  return { code, message, phase: facts.phase, ...(cause === null ? {} : { cause }) };
}

function timedOut({ timeoutMs }: RequestTimeout, { phase, origin, bodyBytes }: FailureFacts): Classified {
  switch (phase) {
    case "blocked":
      return { code: "POOL_TIMEOUT", message: `no connection to ${origin} came free within ${timeoutMs} ms` };
    case "lookingUp":
      return {
        code: "DNS_TIMEOUT",
        message: `the host of ${origin} was not resolved within ${timeoutMs} ms`,
      };
    case "connecting":
      return {
        code: "CONNECT_TIMEOUT",
        message: `${origin} did not accept a connection within ${timeoutMs} ms`,
      };
    case "tlsHandshaking":
      return {
        code: "TLS_TIMEOUT",
        message: `the TLS handshake with ${origin} took longer than ${timeoutMs} ms`,
      };
    case "sending":
    case "waiting":
      return { code: "RESPONSE_TIMEOUT", message: `${origin} did not answer within ${timeoutMs} ms` };
    case "receiving":
      return {
        code: "RESPONSE_TIMEOUT",
        message: `the response of ${origin} was not complete within ${timeoutMs} ms (${bodyBytes} bytes of body came)`,
      };
  }
}

/** undici's parser errors carry no code of their own, and an interim answer that it refuses looks like a closed socket. */
function malformed(error: unknown, { origin }: FailureFacts): Classified | undefined {
  if (!(error instanceof Error)) return undefined;
  const reason = error.name === "HTTPParserError" ? error.message : refusedAnswers.get(error.message);
  if (reason === undefined) return undefined;
  return { code: "MALFORMED_RESPONSE", message: `${origin} sent something that is not HTTP/1.1: ${reason}` };
}

const refusedAnswers: ReadonlyMap<string, string> = new Map([
  ["bad response", "status 100 without having been asked"],
  ["bad upgrade", "a change of protocol without having been asked"],
]);

function byCause(cause: string, facts: FailureFacts): Classified | undefined {
  const { origin, phase, isReused, bodyBytes } = facts;
  const connection = connectionCauses[cause];
  if (connection !== undefined) return { code: connection.code, message: `${origin}: ${connection.says}` };
  if (cause.startsWith("HPE_") || malformedCauses.has(cause)) {
    return {
      code: "MALFORMED_RESPONSE",
      message: `${origin} sent something that is not HTTP/1.1 (${cause})`,
    };
  }
  if (cause === "UND_ERR_HEADERS_OVERFLOW") {
    return { code: "HEADERS_TOO_LARGE", message: `${origin} sent more than 16 KiB of response headers` };
  }
  if (cause === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH") return truncated(facts);
  if (cause.startsWith("ERR_SSL_") || cause.startsWith("ERR_TLS_") || cause === "EPROTO") {
    return { code: "TLS_FAILED", message: `the TLS handshake with ${origin} failed (${cause})` };
  }
  if (cause === "UND_ERR_INVALID_ARG" || cause === "UND_ERR_REQ_CONTENT_LENGTH_MISMATCH") {
    return {
      code: "INVALID_REQUEST",
      message: `the request to ${origin} cannot be written as HTTP (${cause})`,
    };
  }
  if (!closedCauses.has(cause)) return undefined;
  if (phase === "receiving") {
    return cause === "UND_ERR_SOCKET"
      ? truncated(facts)
      : {
          code: "CONNECTION_RESET",
          message: `${origin} reset the connection in mid-response (${bodyBytes} bytes of body came)`,
        };
  }
  if (isReused) {
    return {
      code: "STALE_CONNECTION",
      message: `${origin} closed the kept-alive connection as the request was sent`,
    };
  }
  return { code: "CONNECTION_RESET", message: `${origin} closed the connection before it answered` };
}

function truncated({ origin, bodyBytes }: FailureFacts): Classified {
  return {
    code: "RESPONSE_TRUNCATED",
    message: `${origin} ended the response before it was complete (${bodyBytes} bytes of body came)`,
  };
}

const closedCauses = new Set([
  "UND_ERR_SOCKET",
  "ECONNRESET",
  "EPIPE",
  "ECONNABORTED",
  "UND_ERR_CLOSED",
  "UND_ERR_DESTROYED",
]);
/** undici asserts what it takes for granted of an answer, such as a status from 100. */
const malformedCauses = new Set(["UND_ERR_HTTP_PARSER", "UND_ERR_BAD_RESPONSE", "ERR_ASSERTION"]);

const connectionCauses: Readonly<Record<string, { readonly code: string; readonly says: string }>> = {
  ECONNREFUSED: { code: "CONNECTION_REFUSED", says: "nothing listens there, the connection was refused" },
  ENOTFOUND: { code: "DNS_NOT_FOUND", says: "no such host" },
  EAI_AGAIN: { code: "DNS_FAILED", says: "the name server did not answer" },
  EAI_FAIL: { code: "DNS_FAILED", says: "the name server failed" },
  ETIMEDOUT: { code: "CONNECT_TIMEOUT", says: "the connection was not accepted in time" },
  EHOSTUNREACH: { code: "HOST_UNREACHABLE", says: "no route to the host" },
  ENETUNREACH: { code: "NETWORK_UNREACHABLE", says: "no route to the network" },
  EADDRNOTAVAIL: { code: "PORTS_EXHAUSTED", says: "the load generator ran out of local ports" },
  EMFILE: { code: "TOO_MANY_OPEN_FILES", says: "the load generator ran out of file descriptors (ulimit -n)" },
  ENFILE: { code: "TOO_MANY_OPEN_FILES", says: "this machine ran out of file descriptors" },
  CERT_HAS_EXPIRED: { code: "TLS_CERT_EXPIRED", says: "the certificate has expired" },
  CERT_NOT_YET_VALID: { code: "TLS_CERT_NOT_YET_VALID", says: "the certificate is not valid yet" },
  DEPTH_ZERO_SELF_SIGNED_CERT: { code: "TLS_CERT_SELF_SIGNED", says: "the certificate is self-signed" },
  SELF_SIGNED_CERT_IN_CHAIN: {
    code: "TLS_CERT_SELF_SIGNED",
    says: "a certificate in the chain is self-signed",
  },
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: {
    code: "TLS_CERT_UNKNOWN_CA",
    says: "the certificate's issuer is not known",
  },
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: {
    code: "TLS_CERT_UNKNOWN_CA",
    says: "the certificate's issuer is not known",
  },
  ERR_TLS_CERT_ALTNAME_INVALID: { code: "TLS_CERT_WRONG_HOST", says: "the certificate is for another host" },
};

function causeOf(error: unknown): string | null {
  if (typeof error !== "object" || error === null || !("code" in error)) return null;
  return typeof error.code === "string" ? error.code : null;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
