/** Walks through a text; each reading starts exactly where the last one ended. */
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

  /** Reads what a sticky pattern matches here; null, and nothing read, where it doesn't. */
  read(pattern: RegExp): string | null {
    pattern.lastIndex = this.#offset;
    const found = pattern.exec(this.#text)?.[0] ?? null;
    this.#offset += found?.length ?? 0;
    return found;
  }

  /** Reads the first of some texts that stands here: write `"<="` before `"<"`. */
  readOneOf<T extends string>(candidates: readonly T[]): T | null {
    const found = candidates.find((candidate) => this.#text.startsWith(candidate, this.#offset)) ?? null;
    this.#offset += found?.length ?? 0;
    return found;
  }
}
