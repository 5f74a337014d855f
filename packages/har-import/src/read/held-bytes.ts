/** Beyond these a capture is an attack, or a mistake. What exceeds one is a finding; nothing of it is held. */

/** The most bytes of one element. A response's body counts where it is kept. */
export const maxElementBytes: number = 32 * 2 ** 20;
/** Brackets within brackets, of an element. */
export const maxNesting = 64;
/** The most elements of each list, so that what is held of a hostile file is bounded. */
export const maxElements = 200_000;

const nothing = new TextEncoder().encode("null");

/** The bytes of a value, as long as they are not too many. A response's body is held apart; null stands in its place. */
export class HeldBytes {
  readonly #rest = new ByteBuffer();
  readonly #body = new ByteBuffer();
  #isHolding = false;
  #isHoldingBody = false;
  #isInBody = false;
  /** Also of a body that is passed by: what is too large is so in any case. */
  #bodyBytes = 0;
  /** More than may be held, even without the body: nothing is. */
  isTooLarge = false;
  /** With its body more than may be held: the body is not. */
  hasTooLargeBody = false;

  /** A value begins, to be held or to be passed by. */
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

  /** The body as written, in quotes; null where there is none, or it is not held. */
  bodyText(): string | null {
    return this.#body.length === 0 ? null : this.#body.text();
  }

  /** A copy of what is held, without the body. */
  bytes(): Uint8Array {
    return this.#rest.view().slice();
  }
}

/** Enough for most of what is held. */
const usualBytes = 8 * 1024;

/** One for all: each has an object outside of the heap, which costs more than a small text. */
const utf8 = new TextDecoder();

/** Bytes that are gathered in one place, which is used again: what a large file leaves behind does not grow with it. */
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
