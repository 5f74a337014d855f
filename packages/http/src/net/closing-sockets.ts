import type { Socket } from "node:net";

import type { Clock } from "@bearhug/plan/pacing/clock";

/** A server that is about to close does so within this time. */
const patienceMs = 250;

/** Each waiting connection holds a file descriptor. */
const maxWaiting = 256;

/**
 * Connections that have carried their last request. The side that closes first keeps its port for a minute
 * (TIME_WAIT), and the generator has fewer ports than requests, so each connection waits a little for the
 * server to close.
 */
export class ClosingSockets {
  readonly #clock: Clock;
  /** Functions that close a connection at once, the one that has waited longest first. */
  readonly #waiting: Map<Socket, () => void> = new Map();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Closes a connection when the server does, or after a time. `raw`: the TCP socket below, or `socket`. */
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
    if (this.#waiting.size > maxWaiting) this.#waiting.values().next().value?.();
  }

  /** Closes all at once. */
  closeAll(): void {
    for (const close of [...this.#waiting.values()]) close();
  }
}
