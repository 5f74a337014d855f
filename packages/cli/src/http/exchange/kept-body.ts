import type { BodyShare } from "./body-budget.ts";

/** Bodies up to here are kept for the test; beyond, they are counted only. */
const mostBytes = 10 * 1024 * 1024;
/** Pieces from this size on are kept as they are; each takes some hundred bytes besides its own. */
const ownBytes = 2048;
const blockBytes = 16 * 1024;

/** A body as it comes, copied: a body of many small pieces takes little more than its bytes. */
export class KeptBody {
  readonly #pieces: Uint8Array[] = [];
  #bytes = 0;
  #block: Buffer | null = null;
  #used = 0;
  /** Why the body is not kept; null while it is. */
  whyNot: "tooLong" | "noRoom" | null = null;
  readonly #share: BodyShare;

  constructor(share: BodyShare) {
    this.#share = share;
  }

  add(chunk: Uint8Array): void {
    if (this.whyNot !== null) return;
    this.#bytes += chunk.length;
    const hasRoom = this.#share.take(chunk.length);
    if (!hasRoom || this.#bytes > mostBytes) this.#drop(hasRoom ? "tooLong" : "noRoom");
    else this.#keep(chunk);
  }

  /** All that came, in order, where it is kept; nothing may be added any more. */
  pieces(): readonly Uint8Array[] | null {
    if (this.whyNot !== null) return null;
    this.#closeBlock();
    return this.#pieces;
  }

  #drop(why: "tooLong" | "noRoom"): void {
    this.whyNot = why;
    this.#share.give(this.#bytes);
    this.#pieces.length = 0;
    this.#block = null;
  }

  #keep(chunk: Uint8Array): void {
    const isFirst = this.#pieces.length === 0 && this.#block === null;
    if (isFirst || chunk.length >= ownBytes) {
      this.#closeBlock();
      this.#pieces.push(Buffer.from(chunk));
      return;
    }
    if (this.#block === null || this.#used + chunk.length > blockBytes) {
      this.#closeBlock();
      this.#block = Buffer.allocUnsafeSlow(blockBytes);
    }
    this.#block.set(chunk, this.#used);
    this.#used += chunk.length;
  }

  #closeBlock(): void {
    if (this.#block === null) return;
    this.#pieces.push(this.#block.subarray(0, this.#used));
    this.#block = null;
    this.#used = 0;
  }
}
