/**
 * Counts the open connections of all workers together, and keeps the most that were open at once. Peaks of single
 * workers could not be added up: each may have its own at another time.
 */
export class SharedConnections {
  readonly buffer: SharedArrayBuffer;
  readonly #counts: Int32Array;

  constructor(buffer: SharedArrayBuffer = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)) {
    this.buffer = buffer;
    this.#counts = new Int32Array(buffer);
  }

  opened(): void {
    const open = Atomics.add(this.#counts, openSlot, 1) + 1;
    let { peak } = this;
    while (peak < open) {
      const found = Atomics.compareExchange(this.#counts, peakSlot, peak, open);
      if (found === peak) return;
      peak = found;
    }
  }

  closed(): void {
    Atomics.sub(this.#counts, openSlot, 1);
  }

  /** The most connections that were open at once. */
  get peak(): number {
    return Atomics.load(this.#counts, peakSlot);
  }
}

const openSlot = 0;
const peakSlot = 1;
