import type { BodyOf } from "@bearhug/har-import";

/** The limit per pass: a few kilobytes of a capture can refer to the same large body a thousand times. */
const maxPassBytes = 2 ** 30;
/** The size of the cache, from which a body is served that several entries refer to. */
const maxCachedBytes = 64 * 2 ** 20;

/**
 * Reads and caches bodies from files. Limits the bytes of each pass over the capture to an amount that fits
 * in any machine's memory.
 */
export class RememberedBodies {
  readonly #read: BodyOf;
  readonly #limitBytes: number;
  readonly #cache = new Map<string, Uint8Array>();
  #cachedBytes = 0;
  #passBytes = 0;

  constructor(read: BodyOf, limitBytes: number = maxPassBytes) {
    this.#read = read;
    this.#limitBytes = limitBytes;
  }

  /** Starts another pass over the capture. */
  beginPass(): void {
    this.#passBytes = 0;
  }

  /** Returns a body; null if it is unknown or exceeds the limit, as if it had not been recorded. */
  async of(name: string): Promise<Uint8Array | null> {
    if (this.#passBytes >= this.#limitBytes) return null;
    const bytes = this.#cache.get(name) ?? (await this.#read(name));
    if (bytes === null) return null;
    this.#passBytes += bytes.length;
    if (!this.#cache.has(name)) this.#addToCache(name, bytes);
    return this.#passBytes > this.#limitBytes ? null : bytes;
  }

  #addToCache(name: string, bytes: Uint8Array): void {
    if (bytes.length > maxCachedBytes) return;
    if (this.#cachedBytes + bytes.length > maxCachedBytes) {
      this.#cache.clear();
      this.#cachedBytes = 0;
    }
    this.#cache.set(name, bytes);
    this.#cachedBytes += bytes.length;
  }
}
