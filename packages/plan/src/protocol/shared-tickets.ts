/**
 * One counter for each scenario, drawn from by all workers: the next iteration goes to the VU that is free
 * first.
 */
export class SharedTickets {
  readonly buffer: SharedArrayBuffer;
  readonly #next: Int32Array;

  constructor(source: SharedArrayBuffer | number) {
    this.buffer = typeof source === "number" ? new SharedArrayBuffer(Math.max(1, source) * 4) : source;
    this.#next = new Int32Array(this.buffer);
  }

  /** Returns the next ticket of a scenario, from 0, or null when all `limit` are drawn. */
  draw(scenarioIndex: number, limit: number): number | null {
    if (!this.isLeft(scenarioIndex, limit)) return null;
    const ticket = Atomics.add(this.#next, scenarioIndex, 1);
    return ticket < limit ? ticket : null;
  }

  /** True if fewer than `limit` tickets are drawn. */
  isLeft(scenarioIndex: number, limit: number): boolean {
    return Atomics.load(this.#next, scenarioIndex) < limit;
  }

  /** Draws all tickets of `limit` that are left and returns how many there were. */
  drawRemaining(scenarioIndex: number, limit: number): number {
    return Math.max(0, limit - Atomics.exchange(this.#next, scenarioIndex, limit));
  }
}
