import { maxElementBytes } from "./limits.ts";

const nothing = new TextEncoder().encode("null");

/** The bytes of a value, in pieces, as long as they are not too many. A body in them can be left out. */
export class HeldBytes {
  #pieces: Uint8Array[] = [];
  #size = 0;
  #isHolding = false;
  /** While a body is added: where it began, and how long the rest was then. */
  #body: { readonly at: number; readonly size: number } | null = null;
  #isBodyLeftOut = false;
  /** More than may be held: nothing is. */
  isTooLarge = false;
  /** A body was more than may be held, and is left out alone. */
  hasTooLargeBody = false;

  /** @param isHolding Whether anything is to be held, or only passed by. */
  reset(isHolding: boolean): void {
    this.#pieces = [];
    this.#size = 0;
    this.#isHolding = isHolding;
    this.#body = null;
    this.isTooLarge = false;
    this.hasTooLargeBody = false;
  }

  add(piece: Uint8Array): void {
    if (!this.#isHolding || this.isTooLarge || piece.length === 0) return;
    this.#size += piece.length;
    const isTooMuch = this.#size > maxElementBytes;
    if (this.#body === null) {
      if (isTooMuch) this.#drop();
      else this.#pieces.push(piece);
      return;
    }
    if (isTooMuch) {
      this.hasTooLargeBody = true;
      this.#leaveBodyOut(this.#body.at);
    }
    if (!this.#isBodyLeftOut) this.#pieces.push(piece);
  }

  /** What is added next is a body. */
  beginBody(isWanted: boolean): void {
    this.#body = { at: this.#pieces.length, size: this.#size };
    this.#isBodyLeftOut = false;
    if (!isWanted) this.#leaveBodyOut(this.#pieces.length);
  }

  endBody(): void {
    if (this.#body === null) return;
    if (this.#isBodyLeftOut) this.#size = this.#body.size + nothing.length;
    this.#body = null;
  }

  /** What is held, as text. */
  text(): string {
    const decoder = new TextDecoder();
    let text = "";
    for (const piece of this.#pieces) text += decoder.decode(piece, { stream: true });
    return text + decoder.decode();
  }

  /** What is held, in one piece. */
  bytes(): Uint8Array {
    const joined = new Uint8Array(this.#pieces.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const piece of this.#pieces) {
      joined.set(piece, at);
      at += piece.length;
    }
    return joined;
  }

  #leaveBodyOut(at: number): void {
    if (this.#isBodyLeftOut) return;
    this.#isBodyLeftOut = true;
    this.#pieces.length = at;
    this.#pieces.push(nothing);
  }

  #drop(): void {
    this.isTooLarge = true;
    this.#pieces = [];
  }
}
