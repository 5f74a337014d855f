import type { BodyOf } from "@bearhug/har-import";

/** A few kilobytes can name the same large body a thousand times. */
const maxPassBytes = 2 ** 30;
/** Bodies up to this many bytes in all are read once, however many entries name them. */
const maxKeptBytes = 64 * 2 ** 20;

/** Reads bodies from files, within a limit for each reading of the capture that any machine has memory for. */
export class RememberedBodies {
  readonly #read: BodyOf;
  readonly #limitBytes: number;
  readonly #kept = new Map<string, Uint8Array>();
  #keptBytes = 0;
  #givenBytes = 0;

  constructor(read: BodyOf, limitBytes: number = maxPassBytes) {
    this.#read = read;
    this.#limitBytes = limitBytes;
  }

  /** Starts another reading of the capture from its beginning. */
  beginPass(): void {
    this.#givenBytes = 0;
  }

  /** Returns a body; null for an unknown one or above the limit, as for a body that was not recorded. */
  async of(name: string): Promise<Uint8Array | null> {
    if (this.#givenBytes >= this.#limitBytes) return null;
    const bytes = this.#kept.get(name) ?? (await this.#read(name));
    if (bytes === null) return null;
    this.#givenBytes += bytes.length;
    if (!this.#kept.has(name)) this.#keep(name, bytes);
    return this.#givenBytes > this.#limitBytes ? null : bytes;
  }

  #keep(name: string, bytes: Uint8Array): void {
    if (bytes.length > maxKeptBytes) return;
    if (this.#keptBytes + bytes.length > maxKeptBytes) {
      this.#kept.clear();
      this.#keptBytes = 0;
    }
    this.#kept.set(name, bytes);
    this.#keptBytes += bytes.length;
  }
}
