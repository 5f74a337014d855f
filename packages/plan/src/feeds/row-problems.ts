/** A mistake in a feed's rows. */
export interface RowProblem {
  /** The file, with the line if there is one. Null if the problem concerns no single place. */
  readonly place: string | null;
  /** A sentence. */
  readonly message: string;
}

/** More problems of one feed would add no information. */
const maxProblemsPerFeed = 20;

/** The problems of one feed: the first ones, and how many more there are. */
export class RowProblems {
  readonly #first: RowProblem[] = [];
  #count = 0;

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  /**
   * Adds a problem. A place that is slow to find may be a function, which is called only if
   * the problem is listed.
   */
  add(place: string | null | (() => string), message: string): void {
    this.#count += 1;
    if (this.#count > maxProblemsPerFeed) return;
    this.#first.push({ place: typeof place === "function" ? place() : place, message });
  }

  all(): readonly RowProblem[] {
    const rest = this.#count - this.#first.length;
    if (rest === 0) return this.#first;
    return [...this.#first, { place: null, message: `${rest} more rows are wrong.` }];
  }
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** Finds line numbers, from 1. */
export class LineNumbers {
  readonly #bytes: Uint8Array;
  #offset = 0;
  #line = 1;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Returns the line of an offset. Continues from the offset of the call before. */
  at(offset: number): number {
    if (offset < this.#offset) [this.#offset, this.#line] = [0, 1];
    for (; this.#offset < offset; this.#offset += 1) {
      const byte = this.#bytes[this.#offset];
      // Old Macs end lines with a carriage return alone.
      const isEnd =
        byte === lineFeed || (byte === carriageReturn && this.#bytes[this.#offset + 1] !== lineFeed);
      if (isEnd) this.#line += 1;
    }
    return this.#line;
  }
}
