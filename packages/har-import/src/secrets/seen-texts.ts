import { detachedText } from "@bearhug/text/detached-text";

/** Longer texts hardly ever repeat. */
const maxLength = 400;
const maxTexts = 20_000;

/**
 * Short texts that were searched in vain and need no second search: a capture has the same names, values and
 * addresses hundreds of times. Only the texts are kept: a finding may be a slice of a large text, which would
 * stay in memory with it.
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
