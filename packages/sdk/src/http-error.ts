/** Where in an exchange it failed. */
export type HttpPhase =
  "blocked" | "lookingUp" | "connecting" | "tlsHandshaking" | "sending" | "waiting" | "receiving";

/** Codes of failed exchanges. Later releases may add some. */
export type HttpErrorCode =
  | "CONNECTION_REFUSED"
  | "CONNECTION_RESET"
  | "CONNECT_TIMEOUT"
  | "DNS_FAILED"
  | "DNS_NOT_FOUND"
  | "DNS_TIMEOUT"
  | "HEADERS_TOO_LARGE"
  | "HOST_NOT_ALLOWED"
  | "HOST_UNREACHABLE"
  | "INVALID_REQUEST"
  | "MALFORMED_RESPONSE"
  | "NETWORK_UNREACHABLE"
  | "POOL_TIMEOUT"
  | "PORTS_EXHAUSTED"
  | "REQUEST_FAILED"
  | "RESPONSE_TIMEOUT"
  | "RESPONSE_TRUNCATED"
  | "STALE_CONNECTION"
  | "TLS_CERT_EXPIRED"
  | "TLS_CERT_NOT_YET_VALID"
  | "TLS_CERT_SELF_SIGNED"
  | "TLS_CERT_UNKNOWN_CA"
  | "TLS_CERT_WRONG_HOST"
  | "TLS_FAILED"
  | "TLS_TIMEOUT"
  | "TOO_MANY_OPEN_FILES"
  | "TOO_MANY_REDIRECTS"
  | (string & Record<never, never>);

/** Why an exchange has no response. */
export interface HttpErrorInfo {
  readonly code: HttpErrorCode;
  /** One sentence for people. */
  readonly message: string;
  /** The system's own code where there is one, such as `ECONNREFUSED`. */
  readonly cause?: string;
  /** What was being done when it failed. */
  readonly phase: HttpPhase;
}
