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

  /** Whether there is still a body that is kept. */
  add(chunk: Uint8Array): boolean {
    this.#bytes += chunk.length;
    if (this.#bytes > mostBytes) return false;
    const isFirst = this.#pieces.length === 0 && this.#block === null;
    if (isFirst || chunk.length >= ownBytes) {
      this.#closeBlock();
      this.#pieces.push(Buffer.from(chunk));
      return true;
    }
    if (this.#block === null || this.#used + chunk.length > blockBytes) {
      this.#closeBlock();
      this.#block = Buffer.allocUnsafeSlow(blockBytes);
    }
    this.#block.set(chunk, this.#used);
    this.#used += chunk.length;
    return true;
  }

  /** All that came, in order; nothing may be added any more. */
  pieces(): readonly Uint8Array[] {
    this.#closeBlock();
    return this.#pieces;
  }

  #closeBlock(): void {
    if (this.#block === null) return;
    this.#pieces.push(this.#block.subarray(0, this.#used));
    this.#block = null;
    this.#used = 0;
  }
}
