const path: readonly string[] = ["response", "content", "text"];

/** No key on the way is longer. */
const maxKeyLength = 8;

/**
 * Follows the brackets and keys of an entry, to tell where the text of its response's body stands: `response.content.text`.
 * A key in escapes is not recognized: then the body is read like any other text.
 */
export class BodyFinder {
  /** How many of the open objects, without the entry itself, lie on the way. */
  #matched = 0;
  /** The last key that could lie on it. */
  #key = "";

  reset(): void {
    this.#matched = 0;
    this.#key = "";
  }

  /** A key begins, so many brackets deep. Whether it could lie on the way: then it is to be told. */
  beginKey(depth: number): boolean {
    this.#key = "";
    return depth === this.#matched + 1 && depth <= path.length;
  }

  /** Bytes of a key, from an index up to another. */
  addToKey(bytes: Uint8Array, from: number, to: number): void {
    for (let at = from; at < to && this.#key.length <= maxKeyLength; at++)
      this.#key += String.fromCharCode(bytes[at] ?? 0);
  }

  /** An object begins as a value, so many brackets deep. */
  open(depth: number): void {
    if (depth < path.length && this.#isNext(depth)) this.#matched++;
    this.#key = "";
  }

  /** Whether the string that begins as a value, so many brackets deep, is the body. */
  isBody(depth: number): boolean {
    return depth === path.length && this.#isNext(depth);
  }

  /** A bracket closes that was so many deep. */
  close(depth: number): void {
    this.#matched = Math.min(this.#matched, Math.max(0, depth - 2));
    this.#key = "";
  }

  #isNext(depth: number): boolean {
    return depth === this.#matched + 1 && this.#key === path[depth - 1];
  }
}
