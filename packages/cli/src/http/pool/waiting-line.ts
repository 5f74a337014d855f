import type { OpeningConnection } from "../../net/opening-connection.ts";
import type { Transport } from "../transport/transport.ts";

/** A request that may have to wait for a connection. */
export interface ConnectionWaiter {
  /** Whose request it is: where connections are shared, nobody takes more than a browser would. */
  readonly owner: object;
  /** A connection is being opened for it. */
  onOpening(opening: OpeningConnection): void;
  /** A place on a connection is the waiter's own until it is released. */
  onConnection(transport: Transport): void;
  onConnectFailed(error: Error): void;
}

/** Places at the front that were left: more of them than this are cut off when they are the most. */
const keptPlaces = 64;

/** Waiters in the order in which they came. However many there are, each costs the same: a Set that is emptied from its front does not. */
export class WaitingLine {
  /** Null: left by whoever stood there. */
  #places: (ConnectionWaiter | null)[] = [];
  #front = 0;
  /** The number of places that were cut off. */
  #cut = 0;
  readonly #numbers = new Map<ConnectionWaiter, number>();

  get length(): number {
    return this.#numbers.size;
  }

  add(waiter: ConnectionWaiter): void {
    this.#numbers.set(waiter, this.#cut + this.#places.length);
    this.#places.push(waiter);
  }

  /** Returns true if the waiter was in the line. */
  remove(waiter: ConnectionWaiter): boolean {
    const number = this.#numbers.get(waiter);
    if (number === undefined) return false;
    this.#numbers.delete(waiter);
    this.#places[number - this.#cut] = null;
    return true;
  }

  /** The first, who leaves it. */
  take(): ConnectionWaiter | null {
    while (this.#front < this.#places.length) {
      const waiter = this.#places[this.#front++] ?? null;
      if (waiter === null) continue;
      this.#numbers.delete(waiter);
      this.#shorten();
      return waiter;
    }
    this.#shorten();
    return null;
  }

  #shorten(): void {
    if (this.#front <= keptPlaces || this.#front * 2 < this.#places.length) return;
    this.#places = this.#places.slice(this.#front);
    this.#cut += this.#front;
    this.#front = 0;
  }
}
