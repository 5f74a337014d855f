/** Enough for most of what is held. */
const usualBytes = 64 * 1024;

/** One for all: each has an object outside of the heap, which costs more than a small text. */
const utf8 = new TextDecoder();

/** Bytes that are gathered in one place, which is used again: what a large file leaves behind does not grow with it. */
export class ByteBuffer {
  #bytes = new Uint8Array(usualBytes);
  length = 0;

  clear(): void {
    this.length = 0;
  }

  add(piece: Uint8Array): void {
    const length = this.length + piece.length;
    if (length > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(length, 2 * this.#bytes.length));
      larger.set(this.view());
      this.#bytes = larger;
    }
    this.#bytes.set(piece, this.length);
    this.length = length;
  }

  /** What was gathered, as long as nothing is added. */
  view(): Uint8Array {
    return this.#bytes.subarray(0, this.length);
  }

  text(): string {
    return utf8.decode(this.view());
  }
}
