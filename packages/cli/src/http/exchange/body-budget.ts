/** The bytes that bodies of a worker's running iterations may take together. */
const mostBytes = 256 * 1024 * 1024;
/** Memory is measured anew after so many bytes of bodies. */
const measureEveryBytes = 8 * 1024 * 1024;

/**
 * Bounds the bodies that a worker keeps at the same time: many virtual users, each with a large one, would take all
 * memory, and no limit of the heap counts them. A body counts until its iteration ends. A long iteration may have let go
 * of most of its bodies by then: so bodies are refused only where memory says so, too.
 */
export class BodyBudget {
  readonly #onFull: () => void;
  readonly #limitBytes: number;
  readonly #measure: () => number;
  #heldBytes = 0;
  #unmeasuredBytes = 0;
  #memoryBytes = 0;

  /** `onFull` is called whenever a body finds no room. `measure`: bytes of all buffers of this thread. */
  constructor(
    onFull: () => void,
    limitBytes: number = mostBytes,
    measure: () => number = () => process.memoryUsage().arrayBuffers,
  ) {
    this.#onFull = onFull;
    this.#limitBytes = limitBytes;
    this.#measure = measure;
  }

  get limitBytes(): number {
    return this.#limitBytes;
  }

  /** Counts some bytes of a body; false where there is no room for them. */
  take(bytes: number): boolean {
    this.#heldBytes += bytes;
    this.#unmeasuredBytes += bytes;
    if (this.#unmeasuredBytes >= measureEveryBytes || this.#isFull()) this.#look();
    if (!this.#isFull()) return true;
    this.#onFull();
    return false;
  }

  /** Counts bytes that something else bounds. */
  hold(bytes: number): void {
    this.#heldBytes += bytes;
    this.#unmeasuredBytes += bytes;
  }

  give(bytes: number): void {
    this.#heldBytes -= bytes;
  }

  #look(): void {
    this.#unmeasuredBytes = 0;
    this.#memoryBytes = this.#measure();
  }

  /** Past twice the limit, a test keeps bodies of iterations that have ended. */
  #isFull(): boolean {
    if (this.#memoryBytes <= this.#limitBytes) return false;
    return this.#heldBytes > this.#limitBytes || this.#memoryBytes > 2 * this.#limitBytes;
  }
}
