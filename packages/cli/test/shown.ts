import { foreign, type ForeignText } from "../src/foreign-text.ts";
import { createMask } from "../src/secret-mask.ts";

/** A text from elsewhere as it is shown where there are no secrets. */
export function shown(text: string | ForeignText): string {
  return foreign(text).shown(createMask([]));
}
