/** A request for the time, and its reply. */
export interface ClockExchange {
  /** By this side's clock. */
  readonly sentAtMs: number;
  /** By the other clock, when it replied. */
  readonly answeredAtMs: number;
  /** By this side's clock. */
  readonly receivedAtMs: number;
}

/**
 * Estimates how far another clock is ahead of this one, from the exchange with the shortest round trip. That
 * has the smallest error: at most half its round trip.
 */
export class ClockOffset {
  #best: ClockExchange | null = null;
  #exchanges = 0;

  add(exchange: ClockExchange): void {
    this.#exchanges++;
    if (this.#best === null || roundTrip(exchange) < roundTrip(this.#best)) this.#best = exchange;
  }

  get exchanges(): number {
    return this.#exchanges;
  }

  /** Null before the first exchange. */
  get aheadMs(): number | null {
    if (this.#best === null) return null;
    const { sentAtMs, answeredAtMs, receivedAtMs } = this.#best;
    return answeredAtMs - (sentAtMs + receivedAtMs) / 2;
  }

  /** The shortest round trip; null before the first exchange. */
  get roundTripMs(): number | null {
    return this.#best === null ? null : roundTrip(this.#best);
  }
}

function roundTrip({ sentAtMs, receivedAtMs }: ClockExchange): number {
  return receivedAtMs - sentAtMs;
}
