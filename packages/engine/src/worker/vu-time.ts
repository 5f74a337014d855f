/** The part of a scenario in which its load is applied; open until nothing more is to start. */
export interface LoadSpan {
  /** By the clock; infinite until then. */
  endMs: number;
}

/**
 * A VU's back-off up to this is not lost time: a target that restarts within a second costs that much, since the VU's tries
 * lie up to 400 ms apart. It is granted once, so that a target that goes away again and again is noticed.
 */
const forgivenBackOffMs = 1200;

/** Time of a VU since it was last asked, in whole µs. */
export interface VuTimeSample {
  readonly totalUs: number;
  /** The part that went to requests never answered, to timeouts and to back-off. */
  readonly lostUs: number;
}

/** Adds up how much time a VU had while the load was applied, and how much of it was lost. */
export class VuTime {
  readonly #span: LoadSpan;
  #totalMs = 0;
  #lostMs = 0;
  #forgivenMs = forgivenBackOffMs;
  /** The last stretch of lost time, so that parallel requests do not count twice. */
  #lostFromMs = Number.POSITIVE_INFINITY;
  #lostUntilMs = Number.NEGATIVE_INFINITY;

  constructor(span: LoadSpan) {
    this.#span = span;
  }

  /** Adds an iteration. */
  spend(fromMs: number, untilMs: number): void {
    this.#totalMs += this.#within(fromMs, untilMs);
  }

  /** Adds the time of a request that never got its response. */
  lose(fromMs: number, untilMs: number): void {
    if (fromMs > this.#lostUntilMs) {
      this.#lostMs += this.#within(fromMs, untilMs);
      this.#lostFromMs = fromMs;
    } else {
      this.#lostMs += this.#within(fromMs, Math.max(fromMs, this.#lostFromMs));
      this.#lostMs += this.#within(Math.min(this.#lostUntilMs, untilMs), untilMs);
      this.#lostFromMs = Math.min(fromMs, this.#lostFromMs);
    }
    this.#lostUntilMs = Math.max(untilMs, this.#lostUntilMs);
  }

  /** Adds a wait between iterations, because no connection could be had. */
  backOff(fromMs: number, untilMs: number): void {
    const restedMs = this.#within(fromMs, untilMs);
    const forgivenMs = Math.min(restedMs, this.#forgivenMs);
    this.#forgivenMs -= forgivenMs;
    this.#totalMs += restedMs;
    this.#lostMs += restedMs - forgivenMs;
  }

  /** Returns the time since the last call; null for none. */
  take(): VuTimeSample | null {
    const totalUs = Math.round(this.#totalMs * 1000);
    if (totalUs <= 0) return null;
    const lostUs = Math.min(Math.round(this.#lostMs * 1000), totalUs);
    this.#totalMs = 0;
    this.#lostMs = 0;
    return { totalUs, lostUs };
  }

  /** The part of a stretch in which the load was applied. */
  #within(fromMs: number, untilMs: number): number {
    return Math.max(0, Math.min(untilMs, this.#span.endMs) - fromMs);
  }
}
