import type { Header } from "../capture.ts";

/** A header that is longer, or comes when so many are known, is seldom one of several. */
const maxLength = 500;
const maxKnown = 20_000;

/** Makes one of headers that are alike: most of a capture are, and of a large one they are most of what is kept. */
export class KnownHeaders {
  readonly #known = new Map<string, Header>();

  one(header: Header): Header {
    const [name, value] = header;
    if (name.length + value.length > maxLength) return header;
    // No name has a line break in it.
    const text = `${name}\n${value}`;
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    if (this.#known.size < maxKnown) this.#known.set(text, header);
    return header;
  }
}
