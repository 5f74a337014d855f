/**
 * Limits that only a hostile or damaged capture exceeds. An element beyond one is a finding, and is not held.
 */

/** Most bytes of one element. If only its response's body exceeds this, only the body is skipped. */
export const maxElementBytes: number = 32 * 2 ** 20;
/** Most levels of brackets in an element. */
export const maxNesting = 64;
/** Most elements of each list: bounds the memory that a hostile file takes. */
export const maxElements = 200_000;

const nothing = new TextEncoder().encode("null");

/**
 * Holds the bytes of a value, up to the limit. A response's body is held separately, with null in its place.
 */
export class HeldBytes {
  readonly #rest = new ByteBuffer();
  readonly #body = new ByteBuffer();
  #isHolding = false;
  #isHoldingBody = false;
  #isInBody = false;
  /** Counted even if the body is not held, so that the same entries are too large in both cases. */
  #bodyBytes = 0;
  /** True if the value is too large even without its body: then nothing is held. */
  isTooLarge = false;
  /** True if the value is too large only because of its body: then the body is not held. */
  hasTooLargeBody = false;

  /** Begins a new value, to be held or to be skipped. */
  reset(isHolding: boolean, isHoldingBody: boolean): void {
    this.#rest.clear();
    this.#body.clear();
    this.#isHolding = isHolding;
    this.#isHoldingBody = isHoldingBody;
    this.#isInBody = false;
    this.#bodyBytes = 0;
    this.isTooLarge = this.hasTooLargeBody = false;
  }

  add(piece: Uint8Array): void {
    if (!this.#isHolding || this.isTooLarge) return;
    if (this.#isInBody) this.#bodyBytes += piece.length;
    const restBytes = this.#rest.length + (this.#isInBody ? 0 : piece.length);
    if (restBytes > maxElementBytes) {
      this.isTooLarge = true;
      this.#rest.clear();
      this.#body.clear();
      return;
    }
    if (restBytes + this.#bodyBytes > maxElementBytes) {
      this.hasTooLargeBody = true;
      this.#body.clear();
    }
    if (!this.#isInBody) this.#rest.add(piece);
    else if (this.#isHoldingBody && !this.hasTooLargeBody) this.#body.add(piece);
  }

  /** Begins the response's body. If an entry has several, the last one counts. */
  beginBody(): void {
    this.add(nothing);
    this.#isInBody = true;
    this.#bodyBytes = 0;
    this.#body.clear();
  }

  endBody(): void {
    this.#isInBody = false;
  }

  /** Returns the held bytes as text, without the body. */
  text(): string {
    return this.#rest.text();
  }

  /** Returns the body as written, in quotes; null if there is none, or it is not held. */
  bodyText(): string | null {
    return this.#body.length === 0 ? null : this.#body.text();
  }

  /** Returns a copy of the held bytes, without the body. */
  bytes(): Uint8Array {
    return this.#rest.view().slice();
  }
}

/** Enough for most values. */
const usualBytes = 8 * 1024;

/** Shared: each decoder has an object outside the heap, which costs more than a small text. */
const utf8 = new TextDecoder();

/**
 * A growing buffer that is reused for each value, so that a large file leaves no more garbage than a small
 * one.
 */
class ByteBuffer {
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

  /** Returns the gathered bytes. Valid until the next call of `add`. */
  view(): Uint8Array {
    return this.#bytes.subarray(0, this.length);
  }

  text(): string {
    return utf8.decode(this.view());
  }
}
