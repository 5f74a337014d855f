import type { ReceivedBody, SharedBody } from "../response/shared-body.ts";
import type { LastBodies } from "./last-bodies.ts";
import type { BodyBudget } from "./last-bodies.ts";

/** Bodies up to here are kept for the test; beyond, they are counted only. */
const mostBytes = 10 * 1024 * 1024;
/** Pieces from this size on are kept as they are; each takes some hundred bytes besides its own. */
const ownBytes = 2048;
const blockBytes = 16 * 1024;

const noPieces: readonly Uint8Array[] = [];

/**
 * A body as it comes. While it is equal to one that its endpoint sent before, nothing is copied; if it is equal to the end, the
 * response shares that one's memory. From the first difference on it is copied: a body of many small pieces takes little more
 * than its bytes.
 */
export class KeptBody {
  readonly #share: BodyShare;
  readonly #endpoint: object;
  #pieces: Uint8Array[] | null = null;
  #bytes = 0;
  #block: Buffer | null = null;
  #used = 0;
  /** All that came is the beginning of it. */
  #equal: SharedBody | null = null;
  /** Why the body is not kept; null while it is. */
  whyNot: "tooLong" | "noRoom" | null = null;

  /** `endpoint`: bodies of the same one are compared. */
  constructor(share: BodyShare, endpoint: object) {
    this.#share = share;
    this.#endpoint = endpoint;
  }

  add(chunk: Uint8Array): void {
    if (this.whyNot !== null || chunk.length === 0) return;
    if (this.#goesOnEqual(chunk)) this.#bytes += chunk.length;
    else this.#addOwn(chunk);
  }

  /** The whole body came: it may be shared from now on. */
  end(): void {
    const { last } = this.#share;
    if (this.#equal?.wire.length === this.#bytes) {
      last.repeat(this.#endpoint, this.#equal);
      return;
    }
    this.#differ();
    const pieces = this.#ownPieces();
    const shared =
      pieces === null || pieces.length === 0 ? null : last.add(this.#endpoint, pieces, this.#bytes);
    if (shared === null) return;
    this.#share.give(this.#bytes);
    this.#pieces = null;
    this.#equal = shared;
  }

  /** All that came, where it is kept; nothing may be added any more. */
  received(): ReceivedBody | null {
    if (this.#equal?.wire.length === this.#bytes) return this.#equal;
    this.#differ();
    return this.#ownPieces();
  }

  #goesOnEqual(chunk: Uint8Array): boolean {
    const { last } = this.#share;
    if (this.#bytes === 0) {
      this.#equal = last.find(this.#endpoint, chunk);
      return this.#equal !== null;
    }
    if (this.#equal === null) return false;
    if (this.#equal.hasAt(this.#bytes, chunk)) return true;
    const other = last.find(this.#endpoint, chunk, this.#equal.wire.subarray(0, this.#bytes));
    if (other === null) this.#differ();
    else this.#equal = other;
    return other !== null;
  }

  /** It is no other's any more: what was equal so far is copied. */
  #differ(): void {
    if (this.#equal === null) return;
    const start = this.#equal.wire.subarray(0, this.#bytes);
    this.#equal = null;
    this.#bytes = 0;
    this.#addOwn(start);
  }

  #addOwn(chunk: Uint8Array): void {
    if (this.whyNot !== null) return;
    this.#bytes += chunk.length;
    const hasRoom = this.#share.take(chunk.length);
    if (!hasRoom || this.#bytes > mostBytes) this.#drop(hasRoom ? "tooLong" : "noRoom");
    else this.#keep(chunk);
  }

  #drop(why: "tooLong" | "noRoom"): void {
    this.whyNot = why;
    this.#share.give(this.#bytes);
    this.#pieces = null;
    this.#block = null;
  }

  #keep(chunk: Uint8Array): void {
    const isFirst = this.#pieces === null;
    const pieces = (this.#pieces ??= []);
    if (isFirst || chunk.length >= ownBytes) {
      this.#closeBlock();
      pieces.push(Buffer.from(chunk));
      return;
    }
    if (this.#block === null || this.#used + chunk.length > blockBytes) {
      this.#closeBlock();
      this.#block = Buffer.allocUnsafeSlow(blockBytes);
    }
    this.#block.set(chunk, this.#used);
    this.#used += chunk.length;
  }

  #ownPieces(): readonly Uint8Array[] | null {
    if (this.whyNot !== null) return null;
    this.#closeBlock();
    return this.#pieces ?? noPieces;
  }

  #closeBlock(): void {
    if (this.#block === null) return;
    this.#pieces?.push(this.#block.subarray(0, this.#used));
    this.#block = null;
    this.#used = 0;
  }
}

/** The bodies of one virtual user's running iteration. */
export class BodyShare {
  /** The bodies that its responses may share. */
  readonly last: LastBodies;
  readonly #budget: BodyBudget;
  #bytes = 0;

  constructor(budget: BodyBudget, last: LastBodies) {
    this.#budget = budget;
    this.last = last;
  }

  take(bytes: number): boolean {
    this.#bytes += bytes;
    return this.#budget.take(bytes);
  }

  /** Bytes that were taken are kept no longer. */
  give(bytes: number): void {
    this.#bytes -= bytes;
    this.#budget.give(bytes);
  }

  /** The iteration has ended. */
  release(): void {
    this.give(this.#bytes);
  }
}
