import type { MaskedText } from "../masked-text.ts";
import type { BundlePosition } from "../metrics/error-log.ts";

/** A kind of failed request, such as `HTTP_401`. */
export interface FailedRequest {
  readonly name: string;
  readonly code: string;
  /** Scheme, host and port. */
  readonly origin: string;
}

/** Something that a test threw, as it crosses threads. */
export interface Thrown {
  readonly message: MaskedText;
  /** Where, as far as the stack tells. */
  readonly position: BundlePosition | null;
  /** Requests of setup or teardown that had failed before; absent for none. */
  readonly failedRequests?: readonly FailedRequest[];
}
