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
  /** True if the head of a response had come. */
  readonly hasHead?: boolean;
  /** The content type of the response; absent where no head came. */
  readonly contentType?: string | null;
  /** Since the request began to be written, where it did. */
  readonly msSinceStart?: number | null;
  /** Since the last byte of the body, where there was one. */
  readonly msSinceLastByte?: number | null;
  /** `host:port` of the proxy that there is no way through yet, where one is waited for. */
  readonly proxy?: string | null;
}

/** A code, and one sentence that says what happened and where. */
export interface DescribedFailure {
  readonly code: KnownHttpErrorCode;
  readonly message: ForeignText;
}

/** A failure as a test and the errors table are told of it. */
export interface ToldFailure extends HttpErrorInfo {
  readonly message: MaskedText;
}
