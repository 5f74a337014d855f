import type { MaskedText } from "../masked-text.ts";
import type { BundlePosition } from "../metrics/error-log.ts";

/** Something that a test threw, as it crosses threads. */
export interface Thrown {
  readonly message: MaskedText;
  /** Where, as far as the stack tells. */
  readonly position: BundlePosition | null;
}
