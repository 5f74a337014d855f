import type { KnownHttpErrorCode } from "../http-errors/error-catalog.ts";

/** Where in an exchange it failed. */
export type HttpPhase =
  "blocked" | "lookingUp" | "connecting" | "tlsHandshaking" | "sending" | "waiting" | "receiving";

/** Codes of failed exchanges, explained one by one in docs/errors.md. Later releases may add some. */
export type HttpErrorCode = KnownHttpErrorCode | (string & Record<never, never>);

/** Why an exchange has no response. */
export interface HttpErrorInfo {
  readonly code: HttpErrorCode;
  /** One sentence for people. */
  readonly message: string;
  /** The system's own code where there is one, such as `ECONNREFUSED`. */
  readonly cause?: string;
  /** The phase in which it failed. */
  readonly phase: HttpPhase;
}
