import { BearhugError } from "./bearhug-error.ts";
import type { Response } from "./response.ts";

/** Where in an exchange it failed. */
export type HttpPhase =
  "blocked" | "lookingUp" | "connecting" | "tlsHandshaking" | "sending" | "waiting" | "receiving";

/** Codes of failed exchanges. Later releases may add some. */
export type HttpErrorCode =
  | "CONNECTION_REFUSED"
  | "CONNECTION_RESET"
  | "CONNECTION_CLOSED"
  | "CONNECT_TIMEOUT"
  | "CONNECT_FAILED"
  | "DNS_NOT_FOUND"
  | "DNS_FAILED"
  | "TLS_FAILED"
  | "STALE_CONNECTION"
  | "RESPONSE_TIMEOUT"
  | "RESPONSE_TRUNCATED"
  | "MALFORMED_RESPONSE"
  | "HEADERS_TOO_LARGE"
  | "TOO_MANY_REDIRECTS"
  | "HOST_NOT_ALLOWED"
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

/** Thrown by requests with `throwOnError: true`: no response arrived, or none with an expected status. */
export class RequestFailedError extends BearhugError {
  override readonly name = "RequestFailedError";
  readonly code = "REQUEST_FAILED";
  /** The name that the request is grouped by. */
  readonly requestName: string;
  /** What came back; its `error` is set where no response arrived. */
  readonly response: Response;
  constructor(requestName: string, response: Response) {
    super(
      `${requestName} failed: ${response.error?.message ?? `status ${response.status} was not expected`}`,
    );
    this.requestName = requestName;
    this.response = response;
  }
}
