import type { Socket } from "node:net";

import type { Clock } from "@bearhug/plan/pacing/clock";

/** A server that is about to close does so within this time. */
const patienceMs = 250;

/** Each that waits is a descriptor. */
const mostWaiting = 256;

/**
 * Connections that have carried their last request. Whoever closes first keeps the port for a minute (TIME_WAIT), and the
 * generator has fewer ports than requests: so each waits a little for the server to close.
 */
export class ClosingSockets {
  readonly #clock: Clock;
  /** Closes a connection at once. The connection that has waited longest comes first. */
  readonly #waiting: Map<Socket, () => void> = new Map();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Closes a connection when the server has, or its time is up. `raw` is the TCP socket below `socket`, or itself. */
  add(socket: Socket, raw: Socket): void {
    const close = (): void => {
      cancel();
      this.#waiting.delete(socket);
      socket.off("close", close);
      socket.destroy();
      raw.destroy();
    };
    const cancel = this.#clock.at(this.#clock.now() + patienceMs, close);
    socket.on("close", close);
    this.#waiting.set(socket, close);
    if (this.#waiting.size > mostWaiting) this.#waiting.values().next().value?.();
  }

  /** Closes all at once. */
  closeAll(): void {
    for (const close of [...this.#waiting.values()]) close();
  }
}
