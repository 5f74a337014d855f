import { foreignLine, type ForeignText } from "@bearhug/text/foreign-text";
import { createMask } from "@bearhug/text/secret-mask";

/** Returns a foreign text as it is displayed if there are no secrets. */
export function shown(text: string | ForeignText): string {
  return foreignLine(text).masked(createMask([]));
}
