/** More than these are not told apart from streams of long ago. */
const mostKept = 1000;

/** The streams that we reset: until the server knows, frames for them are on their way (RFC 9113, section 5.1). */
export class ResetStreams {
  readonly #ids = new Set<number>();
  /** Frames for streams up to here are let pass. */
  #forgottenUpTo = 0;

  add(id: number): void {
    this.#ids.add(id);
    if (this.#ids.size <= mostKept) return;
    const [oldest = 0] = this.#ids;
    this.#ids.delete(oldest);
    this.#forgottenUpTo = Math.max(this.#forgottenUpTo, oldest);
  }

  /** The server ended the stream, too. */
  delete(id: number): void {
    this.#ids.delete(id);
  }

  has(id: number): boolean {
    return id <= this.#forgottenUpTo || this.#ids.has(id);
  }
}
