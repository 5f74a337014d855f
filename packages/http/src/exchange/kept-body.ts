import type { ReceivedBody, SharedBody } from "../response/shared-body.ts";
import type { LastBodies } from "./last-bodies.ts";
import type { BodyBudget } from "./last-bodies.ts";

/** Longer bodies are only counted, not kept for the test. */
const maxBytes = 10 * 1024 * 1024;
/** Pieces of at least this size are stored separately, at an overhead of a few hundred bytes each. */
const ownBytes = 2048;
const blockBytes = 16 * 1024;

const noPieces: readonly Uint8Array[] = [];

/**
 * A body while it is being received. While it equals an earlier body of its endpoint, nothing is copied; if
 * it is equal to the end, the response shares the earlier body's memory. From the first difference on it is
 * copied into blocks, so that a body of many small pieces takes little more than its bytes.
 */
export class KeptBody {
  readonly #share: BodyShare;
  readonly #endpoint: object;
  #pieces: Uint8Array[] | null = null;
  #bytes = 0;
  #block: Buffer | null = null;
  #used = 0;
  /** An earlier body that begins with everything received so far. */
  #equal: SharedBody | null = null;
  /** Why the body is not kept; null while it is. */
  whyNotKept: "tooLong" | "noRoom" | null = null;

  /** Bodies of the same `endpoint` are compared. */
  constructor(share: BodyShare, endpoint: object) {
    this.#share = share;
    this.#endpoint = endpoint;
  }

  add(chunk: Uint8Array): void {
    if (this.whyNotKept !== null || chunk.length === 0) return;
    if (this.#isStillEqual(chunk)) this.#bytes += chunk.length;
    else this.#addOwn(chunk);
  }

  /** Called when the body is complete: from now on it may be shared. */
  end(): void {
    const { last } = this.#share;
    if (this.#equal?.wire.length === this.#bytes) {
      last.noteRepeat(this.#endpoint, this.#equal);
      return;
    }
    this.#copyOut();
    const pieces = this.#ownPieces();
    const shared =
      pieces === null || pieces.length === 0 ? null : last.add(this.#endpoint, pieces, this.#bytes);
    if (shared === null) return;
    this.#share.free(this.#bytes);
    this.#pieces = null;
    this.#equal = shared;
  }

  /** Returns everything received; null if it is not kept. Nothing may be added after this call. */
  received(): ReceivedBody | null {
    if (this.#equal?.wire.length === this.#bytes) return this.#equal;
    this.#copyOut();
    return this.#ownPieces();
  }

  #isStillEqual(chunk: Uint8Array): boolean {
    const { last } = this.#share;
    if (this.#bytes === 0) {
      this.#equal = last.find(this.#endpoint, chunk);
      return this.#equal !== null;
    }
    if (this.#equal === null) return false;
    if (this.#equal.hasAt(this.#bytes, chunk)) return true;
    const other = last.find(this.#endpoint, chunk, this.#equal.wire.subarray(0, this.#bytes));
    if (other === null) this.#copyOut();
    else this.#equal = other;
    return other !== null;
  }

  /** Copies the part that was equal so far: from here on the body has its own memory. */
  #copyOut(): void {
    if (this.#equal === null) return;
    const start = this.#equal.wire.subarray(0, this.#bytes);
    this.#equal = null;
    this.#bytes = 0;
    this.#addOwn(start);
  }

  #addOwn(chunk: Uint8Array): void {
    if (this.whyNotKept !== null) return;
    this.#bytes += chunk.length;
    const hasRoom = this.#share.take(chunk.length);
    if (!hasRoom || this.#bytes > maxBytes) this.#drop(hasRoom ? "tooLong" : "noRoom");
    else this.#keep(chunk);
  }

  #drop(why: "tooLong" | "noRoom"): void {
    this.whyNotKept = why;
    this.#share.free(this.#bytes);
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
    if (this.whyNotKept !== null) return null;
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
  /** Recent bodies, whose memory its responses may share. */
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

  /** Returns bytes that are no longer kept. */
  free(bytes: number): void {
    this.#bytes -= bytes;
    this.#budget.free(bytes);
  }

  /** Returns all bytes, because the iteration has ended. */
  release(): void {
    this.free(this.#bytes);
  }
}
