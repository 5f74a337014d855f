import type { BodyOf } from "@bearhug/har-import";

/** A few kilobytes can name the same large body a thousand times. */
const maxPassBytes = 2 ** 30;
/** What several entries name is read once, as long as it is no more than this. */
const maxKeptBytes = 64 * 2 ** 20;

/** Bodies in files, of which no more is read, and given to one reading of the capture, than fits a machine. */
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

  /** The capture is read from its beginning. */
  beginPass(): void {
    this.#givenBytes = 0;
  }

  /** null, too, where it would be too much: then it is a body that was not recorded. */
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
