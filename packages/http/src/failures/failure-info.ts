import type { HttpErrorInfo, HttpPhase, KnownHttpErrorCode } from "@bearhug/sdk";
import type { ForeignText } from "@bearhug/text/foreign-text";
import type { MaskedText } from "@bearhug/text/masked-text";

/** Facts about a failed request, besides the error itself. */
export interface FailureInfo {
  readonly phase: HttpPhase;
  /** The connection had carried a request before this one. */
  readonly isReused: boolean;
  readonly origin: string;
  readonly bodyBytes: number;
  /** True if the head of a response had arrived. */
  readonly hasHead?: boolean;
  /** The content type of the response; null if there is none. */
  readonly contentType?: string | null;
  /** Time since writing of the request began; null if it did not begin. */
  readonly msSinceStart?: number | null;
  /** Time since the last byte of the body; null if there was none. */
  readonly msSinceLastByte?: number | null;
  /** `host:port` of the proxy that the connection is waiting for; null if it is not waiting for one. */
  readonly proxy?: string | null;
}

/** A code, and one sentence with what happened and where. */
export interface DescribedFailure {
  readonly code: KnownHttpErrorCode;
  readonly message: ForeignText;
}

/** A failure as it is reported to the test and in the errors table, with secrets masked. */
export interface MaskedFailure extends HttpErrorInfo {
  readonly message: MaskedText;
}
