import { foreignLine, type ForeignText } from "@bearhug/text/foreign-text";
import { createMask } from "@bearhug/text/secret-mask";

/** A text from elsewhere as it is shown where there are no secrets. */
export function shown(text: string | ForeignText): string {
  return foreignLine(text).masked(createMask([]));
}
