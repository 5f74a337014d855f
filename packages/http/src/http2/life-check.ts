import type { Clock } from "@bearhug/plan/pacing/clock";

import type { WireCounters } from "../net/wire-counters.ts";

/** New requests wait this long for the reply to a PING; then they get another connection. */
const patienceMs = 250;

/** A connection is closed, with all its requests, if nothing arrives for this long after a PING. */
export const silenceMs = 5000;

/** The shortest time between PINGs: servers treat many PINGs as an attack. */
const betweenPingsMs = 1000;

/** The connection that is checked. */
export interface CheckedConnection {
  /** Sends a PING, and calls back when the reply arrives. Returns false if the connection is closed. */
  readonly ping: (onReply: () => void) => boolean;
  /** Its byte counter shows whether anything arrives. */
  readonly wire: WireCounters;
  readonly clock: Clock;
  /** The peer replied or sent anything else. */
  readonly onAlive: () => void;
  /** New requests must not wait any longer. */
  readonly onSilent: () => void;
  /** Nothing arrived within `silenceMs`. */
  readonly onDead: () => void;
}

/** Checks whether a connection is alive: every peer replies to a PING, however long its responses take. */
export class LifeCheck {
  readonly #connection: CheckedConnection;
  #cancelTimer: (() => void) | null = null;
  #lastPingAt: number = Number.NEGATIVE_INFINITY;
  /** True after a PING until anything arrives: new requests must use another connection. */
  isPending = false;

  constructor(connection: CheckedConnection) {
    this.#connection = connection;
  }

  begin(): void {
    const { ping, wire, clock, onSilent, onDead } = this.#connection;
    const now = clock.now();
    if (this.isPending || now - this.#lastPingAt < betweenPingsMs) return;
    const isSent = ping(() => {
      this.#pass();
    });
    if (!isSent) return;
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
