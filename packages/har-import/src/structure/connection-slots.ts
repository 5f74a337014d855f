/** So many connections a browser has to a host that speaks HTTP/1. */
export const perHost = 6;

/** A request as it is replayed: when nothing makes it wait, it takes so long. */
export interface Replayed {
  readonly origin: string;
  /** Whether requests share a connection, as in HTTP/2, so that none waits for one. */
  readonly isMultiplexed: boolean;
  readonly busyMs: number;
}

/** The connections of one visitor: who gets one when. Requests are served in the order in which they ask. */
export class ConnectionSlots {
  /** When each connection is free again, by origin. */
  readonly #freeAtMs = new Map<string, number[]>();
  readonly #perHost: number;

  constructor(connectionsPerHost: number) {
    this.#perHost = connectionsPerHost;
  }

  /** When a request would be sent that asks at this moment. */
  startOf(request: Replayed, askedAtMs: number): number {
    const slots = this.#freeAtMs.get(request.origin) ?? [];
    if (request.isMultiplexed || slots.length < this.#perHost) return askedAtMs;
    return Math.max(askedAtMs, Math.min(...slots));
  }

  /** Sends it: gives its end. */
  send(request: Replayed, askedAtMs: number): number {
    const endMs = this.startOf(request, askedAtMs) + request.busyMs;
    if (request.isMultiplexed) return endMs;
    const slots = this.#freeAtMs.get(request.origin) ?? [];
    const earliest = slots.length < this.#perHost ? slots.length : slots.indexOf(Math.min(...slots));
    slots[earliest] = endMs;
    this.#freeAtMs.set(request.origin, slots);
    return endMs;
  }
}
