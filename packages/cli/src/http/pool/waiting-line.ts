import type { OpeningConnection } from "../../net/opening-connection.ts";
import type { Transport } from "../transport/transport.ts";

/** A request that may have to wait for a connection. */
export interface ConnectionWaiter {
  /** Whose request it is: where connections are shared, nobody takes more than a browser would. */
  readonly owner: object;
  /** Its place in the line that it waits in, which that line keeps; null while it waits in none. */
  placeInLine: number | null;
  /** A connection is being opened for it. */
  onOpening(opening: OpeningConnection): void;
  /** A place on a connection is the waiter's own until it is released. */
  onConnection(transport: Transport): void;
  onConnectFailed(error: Error): void;
}

/** Places at the front that were left: more of them than this are cut off when they are the most. */
const keptPlaces = 64;

/**
 * Waiters in the order in which they came. However many there are, each costs the same: a Set that is emptied from its front
 * does not. Nor does a Map of places: it is built anew after as many changes as it has entries, each old one keeps the next
 * one alive, and with it all requests of that time, until the next full garbage collection.
 */
export class WaitingLine {
  /** Null: left by whoever stood there. */
  #places: (ConnectionWaiter | null)[] = [];
  #front = 0;
  /** The number of places that were cut off. */
  #cut = 0;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(waiter: ConnectionWaiter): void {
    waiter.placeInLine = this.#cut + this.#places.length;
    this.#places.push(waiter);
    this.#length++;
  }

  /** Returns true if the waiter was in this line. */
  remove(waiter: ConnectionWaiter): boolean {
    const index = (waiter.placeInLine ?? Number.NaN) - this.#cut;
    if (this.#places[index] !== waiter) return false;
    this.#places[index] = null;
    this.#leave(waiter);
    return true;
  }

  /** The first, who leaves it. */
  take(): ConnectionWaiter | null {
    while (this.#front < this.#places.length) {
      const waiter = this.#places[this.#front++] ?? null;
      if (waiter === null) continue;
      this.#places[this.#front - 1] = null;
      this.#leave(waiter);
      this.#shorten();
      return waiter;
    }
    this.#shorten();
    return null;
  }

  #leave(waiter: ConnectionWaiter): void {
    waiter.placeInLine = null;
    this.#length--;
  }

  #shorten(): void {
    if (this.#front <= keptPlaces || this.#front * 2 < this.#places.length) return;
    this.#places = this.#places.slice(this.#front);
    this.#cut += this.#front;
    this.#front = 0;
  }
}
