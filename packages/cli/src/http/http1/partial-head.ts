/** The beginning of a head that comes in pieces: in memory that doubles, so that bytes one by one cost no more than together. */
export class PartialHead {
  #memory: Buffer = Buffer.alloc(0);
  length = 0;

  /** All that came so far, which holds until the next piece. */
  append(bytes: Buffer): Buffer {
    const length = this.length + bytes.length;
    if (length > this.#memory.length) {
      const larger = Buffer.allocUnsafe(Math.max(length, 2 * this.#memory.length));
      larger.set(this.#memory.subarray(0, this.length));
      this.#memory = larger;
    }
    this.#memory.set(bytes, this.length);
    this.length = length;
    return this.#memory.subarray(0, length);
  }
}
