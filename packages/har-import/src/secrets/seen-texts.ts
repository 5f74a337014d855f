import { detachedText } from "@bearhug/sdk/internal";

/** Longer ones hardly come twice. */
const maxLength = 400;
const maxTexts = 20_000;

/**
 * Short texts that were looked at, and need no second look: a capture has the same names, values and addresses hundreds
 * of times. What was found in them is not kept: it may be cut out of a large text, which would be kept with it.
 */
export class SeenTexts {
  readonly #texts = new Set<string>();

  has(text: string): boolean {
    return text.length <= maxLength && this.#texts.has(text);
  }

  add(text: string): void {
    if (text.length > maxLength) return;
    if (this.#texts.size >= maxTexts) this.#texts.clear();
    this.#texts.add(detachedText(text));
  }
}
