import { BearhugError } from "@bearhug/sdk";

/** A capture that cannot be used as a whole. A single bad entry is a finding instead, and never the end. */
export class CaptureError extends BearhugError {
  override readonly name = "CaptureError";
  readonly code = "INVALID_CAPTURE";
}
