/** Delays closer to each other than this are counted as one. */
const resolutionMs = 0.1;

/**
 * For how long what happens at a moment must wait until the thread looks: of all moments, not of all looks. A pause of 900 ms
 * is one look among hundreds, but whatever happens in it meets a delay between 900 ms and none.
 */
export class LoopDelays {
  /** How often, by the delay in units of the resolution. Few differ: each takes its own length of time. */
  readonly #counts = new Map<number, number>();
  #spanMs = 0;

  /** The thread looked again after `spanMs`, which is `delayMs` later than it should have. */
  add(spanMs: number, delayMs: number): void {
    this.#spanMs += spanMs;
    const key = Math.round(delayMs / resolutionMs);
    if (key > 0) this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  /** The delay that all but the worst moments stay below: those are a share of (100 − `percent`) %. */
  percentile(percent: number): number {
    const worstMs = this.#spanMs * (1 - percent / 100);
    let [pauses, sumMs] = [0, 0];
    for (const [key, count] of [...this.#counts].toSorted(([a], [b]) => b - a)) {
      const delayMs = key * resolutionMs;
      // Of each longer pause, the moments that waited for longer than this one lasted.
      if (sumMs - pauses * delayMs >= worstMs) break;
      pauses += count;
      sumMs += count * delayMs;
    }
    return pauses === 0 ? 0 : Math.max(0, (sumMs - worstMs) / pauses);
  }

  clear(): void {
    this.#counts.clear();
    this.#spanMs = 0;
  }
}
