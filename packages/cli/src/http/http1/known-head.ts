import type { Http1ResponseHead } from "./response-head.ts";

/** Longer heads are read each time. */
const mostBytes = 4096;

/** Memory grows by these. */
const stepBytes = 256;

const empty = Buffer.alloc(0);

/**
 * The last response head to the same request, and its bytes: most servers change a head once a second, with its `Date`. Equal
 * bytes are the same head, and need not be read again.
 */
export class KnownHead {
  #bytes = empty;
  #length = 0;
  #method = "";
  #head: Http1ResponseHead | null = null;

  /** The number of bytes of the head, with the empty line. */
  get length(): number {
    return this.#length;
  }

  /** The head, if these bytes begin with it and answer the same method; else null. */
  find(bytes: Buffer, method: string): Http1ResponseHead | null {
    const length = this.#length;
    if (length === 0 || bytes.length < length || method !== this.#method) return null;
    return this.#bytes.compare(bytes, 0, length, 0, length) === 0 ? this.#head : null;
  }

  /** `length`: of the head at the beginning of the bytes, with the empty line. */
  keep(bytes: Buffer, length: number, method: string, head: Http1ResponseHead): void {
    this.#length = 0;
    if (length > mostBytes) return;
    if (this.#bytes.length < length)
      this.#bytes = Buffer.allocUnsafeSlow(stepBytes * Math.ceil(length / stepBytes));
    bytes.copy(this.#bytes, 0, 0, length);
    this.#length = length;
    this.#method = method;
    this.#head = head;
  }
}
