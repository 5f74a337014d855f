/** The bytes of bodies that the server may send before it must wait for us: on one stream, or on all together. */
export class ReceiveWindow {
  readonly #bytes: number;
  #left: number;

  constructor(bytes: number) {
    this.#bytes = bytes;
    this.#left = bytes;
  }

  /** Returns false if more came than was allowed. */
  take(length: number): boolean {
    this.#left -= length;
    return this.#left >= 0;
  }

  /** Returns the bytes that the server may be allowed again; 0 while that is not worth a frame. */
  regrant(): number {
    const taken = this.#bytes - this.#left;
    if (taken < this.#bytes / 2) return 0;
    this.#left = this.#bytes;
    return taken;
  }
}
