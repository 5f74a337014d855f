import { HpackError } from "./hpack-error.ts";
import { decodeHuffman } from "./huffman.ts";

/** Bytes after the prefix of an integer: four hold 28 bits, enough for any length or index here. */
const longestContinuation = 4;

/** Reads integers and strings (RFC 7541, section 5) one after the other. */
export class BlockReader {
  readonly #bytes: Buffer;
  readonly #end: number;
  #position: number;

  constructor(bytes: Buffer, start: number, end: number) {
    this.#bytes = bytes;
    this.#position = start;
    this.#end = end;
  }

  get isAtEnd(): boolean {
    return this.#position >= this.#end;
  }

  /** Returns the next byte without consuming it. */
  peek(): number {
    return this.#bytes[this.#position] ?? 0;
  }

  /** Reads the integer in the low bits of the next byte and its continuation bytes. */
  integer(prefixBits: number): number {
    if (this.isAtEnd) throw cutOff();
    const mask = (1 << prefixBits) - 1;
    const prefix = this.peek() & mask;
    this.#position++;
    return prefix < mask ? prefix : mask + this.#continuation();
  }

  /** Reads a string literal: its length, then its bytes, plain or Huffman-encoded. */
  string(): string {
    const isHuffman = (this.peek() & 0x80) !== 0;
    const length = this.integer(7);
    const start = this.#position;
    const end = start + length;
    if (end > this.#end) throw cutOff();
    this.#position = end;
    return isHuffman ? decodeHuffman(this.#bytes, start, end) : this.#bytes.toString("latin1", start, end);
  }

  #continuation(): number {
    let value = 0;
    for (let count = 0; count < longestContinuation; count++) {
      if (this.isAtEnd) throw cutOff();
      const byte = this.peek();
      this.#position++;
      value |= (byte & 0x7f) << (7 * count);
      if (byte < 0x80) return value;
    }
    throw new HpackError("an integer is too large");
  }
}

function cutOff(): HpackError {
  return new HpackError("the block ends within a field");
}
