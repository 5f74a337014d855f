import type { RowStarts, SharedFeed } from "../protocol/shared-feeds.ts";

/** The rows of a file, and the indexes of those with mistakes. A feed with such rows is never used. */
export interface IndexedRows<Format extends SharedFeed> {
  readonly feed: Format;
  readonly wrong: ReadonlySet<number>;
}

const largestUint32 = 2 ** 32 - 1;
const firstCapacity = 4096;

/** Collects the offsets of a feed's rows. */
export class RowStartsWriter {
  readonly #expectedBytes: number;
  readonly #maxBytes: number;
  #starts: RowStarts;
  #count = 0;

  /** `expectedBytes` is the size of all rows, from which their number is estimated while they are found. */
  constructor(expectedBytes: number, maxBytes: number = expectedBytes) {
    this.#expectedBytes = expectedBytes;
    this.#maxBytes = maxBytes;
    this.#starts = create(maxBytes, firstCapacity);
  }

  get count(): number {
    return this.#count;
  }

  add(offset: number): void {
    if (this.#count === this.#starts.length) this.#enlarge(offset);
    this.#starts[this.#count] = offset;
    this.#count += 1;
  }

  /** Returns the offsets of all rows, followed by the end of the last one. */
  finish(end: number): RowStarts {
    this.add(end);
    return this.#starts.subarray(0, this.#count);
  }

  /** Enlarges the list by an estimate. If it is too large, memory that is never written costs nothing. */
  #enlarge(offset: number): void {
    const estimate = (this.#count / Math.max(1, offset)) * this.#expectedBytes;
    const capacity = Math.ceil(Math.max(this.#count * 1.25, estimate * 1.1));
    const larger = create(this.#maxBytes, capacity);
    larger.set(this.#starts);
    this.#starts = larger;
  }
}

function create(maxBytes: number, capacity: number): RowStarts {
  return maxBytes <= largestUint32
    ? new Uint32Array(new SharedArrayBuffer(capacity * Uint32Array.BYTES_PER_ELEMENT))
    : new Float64Array(new SharedArrayBuffer(capacity * Float64Array.BYTES_PER_ELEMENT));
}
