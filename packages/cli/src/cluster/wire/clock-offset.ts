/** One question about the time, and its answer. */
export interface ClockExchange {
  /** By the own clock. */
  readonly sentAtMs: number;
  /** By the other clock, when it answered. */
  readonly answeredAtMs: number;
  /** By the own clock. */
  readonly receivedAtMs: number;
}

/**
 * The time by which another clock is ahead of the own one, by the exchange with the shortest round trip: it leaves the least room for
 * error, which is at most half of that round trip.
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
