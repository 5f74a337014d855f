/** Reads a text from start to end; each read starts where the previous one ended. */
export class TextReader {
  readonly #text: string;
  #offset = 0;
  constructor(text: string) {
    this.#text = text;
  }

  /** Zero-based index of the next character. */
  get offset(): number {
    return this.#offset;
  }

  get isAtEnd(): boolean {
    return this.#offset === this.#text.length;
  }

  /**
   * Reads the match of a sticky pattern at this offset; returns null and reads nothing if it does not match.
   */
  read(pattern: RegExp): string | null {
    pattern.lastIndex = this.#offset;
    const found = pattern.exec(this.#text)?.[0] ?? null;
    this.#offset += found?.length ?? 0;
    return found;
  }

  /**
   * Reads the first candidate that the text continues with: list `"<="` before `"<"`. Null if there is none.
   */
  readOneOf<T extends string>(candidates: readonly T[]): T | null {
    const found = candidates.find((candidate) => this.#text.startsWith(candidate, this.#offset)) ?? null;
    this.#offset += found?.length ?? 0;
    return found;
  }
}
