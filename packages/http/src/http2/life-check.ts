import type { Clock } from "@bearhug/plan/pacing/clock";

import type { WireCounters } from "../net/wire-counters.ts";

/** New requests wait so long for the answer to a PING; then they get another connection. */
const patienceMs = 250;

/** A connection from which nothing has come so long after a PING is closed, with all requests on it. */
export const silenceMs = 5000;

/** Servers take many PINGs for an attack. */
const betweenPingsMs = 1000;

/** A connection, and what is done with it. */
export interface CheckedConnection {
  /** Sends a PING; calls back when it is answered. Returns false where there is nobody to ask any more. */
  readonly ping: (answered: () => void) => boolean;
  /** Its counter of bytes tells whether anything comes. */
  readonly wire: WireCounters;
  readonly clock: Clock;
  /** Something came. */
  readonly onAlive: () => void;
  /** New requests are to wait no longer. */
  readonly onSilent: () => void;
  readonly onDead: () => void;
}

/** Asks a connection whether it is alive: every peer answers a PING, however long its responses take. */
export class LifeCheck {
  readonly #connection: CheckedConnection;
  #cancelTimer: (() => void) | null = null;
  #lastPingAt: number = Number.NEGATIVE_INFINITY;
  /** True between a PING and whatever comes after it, for new requests to go elsewhere. */
  isPending = false;

  constructor(connection: CheckedConnection) {
    this.#connection = connection;
  }

  begin(): void {
    const { ping, wire, clock, onSilent, onDead } = this.#connection;
    const now = clock.now();
    if (this.isPending || now - this.#lastPingAt < betweenPingsMs) return;
    const isAsked = ping(() => {
      this.#pass();
    });
    if (!isAsked) return;
    this.isPending = true;
    this.#lastPingAt = now;
    const { bytesRead } = wire;
    const after = (durationMs: number, silent: () => void): void => {
      this.#cancelTimer = clock.at(now + durationMs, () => {
        if (wire.bytesRead === bytesRead) silent();
        else this.#pass();
      });
    };
    after(patienceMs, () => {
      onSilent();
      if (this.isPending) after(silenceMs, onDead);
    });
  }

  stop(): void {
    this.isPending = false;
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }

  #pass(): void {
    if (!this.isPending) return;
    this.stop();
    this.#connection.onAlive();
  }
}
