/**
 * The part of a scenario in which its load is applied and measured; its end is open until no more iterations
 * start.
 */
export interface LoadSpan {
  /** The clock's time at which a warm-up ends; -Infinity without one. */
  beginMs: number;
  /** The clock's time; Infinity while the end is open. */
  endMs: number;
}

/**
 * The back-off of a VU that does not count as lost time: a target that restarts within a second costs that
 * much, since the VU's attempts are up to 400 ms apart. It is granted once, so that a target that goes away
 * repeatedly is noticed.
 */
const forgivenBackOffMs = 1200;

/** The time of a VU since the last sample, in whole µs. */
export interface VuTimeSample {
  readonly totalUs: number;
  /** The part spent on unanswered requests, timeouts and back-off. */
  readonly lostUs: number;
}

/**
 * Adds up how much time a VU had while the load was applied, and how much of it was lost. The sums are whole
 * numbers, because V8 keeps each field with a fraction in memory of its own.
 */
export class VuTime {
  readonly #span: LoadSpan;
  #totalUs = 0;
  #lostUs = 0;
  #forgivenMs = forgivenBackOffMs;
  /** The bounds of the latest stretch of lost time, so that parallel requests do not count twice. */
  #lostFromMs = Number.POSITIVE_INFINITY;
  #lostUntilMs = Number.NEGATIVE_INFINITY;

  constructor(span: LoadSpan) {
    this.#span = span;
  }

  /** Adds an iteration. */
  spend(fromMs: number, untilMs: number): void {
    this.#totalUs += inUs(this.#within(fromMs, untilMs));
  }

  /** Adds the time of a request that never got a response. */
  lose(fromMs: number, untilMs: number): void {
    if (fromMs > this.#lostUntilMs) {
      this.#lostUs += inUs(this.#within(fromMs, untilMs));
      this.#lostFromMs = fromMs;
    } else {
      this.#lostUs += inUs(this.#within(fromMs, Math.max(fromMs, this.#lostFromMs)));
      this.#lostUs += inUs(this.#within(Math.min(this.#lostUntilMs, untilMs), untilMs));
      this.#lostFromMs = Math.min(fromMs, this.#lostFromMs);
    }
    this.#lostUntilMs = Math.max(untilMs, this.#lostUntilMs);
  }

  /** Adds a wait between iterations, made because no connection opened. */
  backOff(fromMs: number, untilMs: number): void {
    const restedMs = this.#within(fromMs, untilMs);
    const forgivenMs = Math.min(restedMs, this.#forgivenMs);
    this.#forgivenMs -= forgivenMs;
    this.#totalUs += inUs(restedMs);
    this.#lostUs += inUs(restedMs - forgivenMs);
  }

  /** Returns the time since the last call; null if there is none. */
  take(): VuTimeSample | null {
    const totalUs = this.#totalUs;
    if (totalUs === 0) return null;
    const lostUs = Math.min(this.#lostUs, totalUs);
    this.#totalUs = 0;
    this.#lostUs = 0;
    return { totalUs, lostUs };
  }

  /** Returns the length of the part of a stretch in which the load was applied and measured. */
  #within(fromMs: number, untilMs: number): number {
    const { beginMs, endMs } = this.#span;
    return Math.max(0, Math.min(untilMs, endMs) - Math.max(fromMs, beginMs));
  }
}

/** Returns a span that begins with the scenario and is still open. */
export function openSpan(): LoadSpan {
  return { beginMs: Number.NEGATIVE_INFINITY, endMs: Number.POSITIVE_INFINITY };
}

function inUs(durationMs: number): number {
  return Math.round(durationMs * 1000);
}
