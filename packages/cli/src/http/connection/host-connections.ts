import type { OpeningConnection } from "./opening-connection.ts";
import type { ConnectionWaiter } from "./connection-waiter.ts";
import type { Transport } from "./transport.ts";

/** As browsers do on HTTP/1.1. */
export const connectionsPerHost = 6;

/** The connections of a pool to one origin, and who waits for one. */
export class HostConnections {
  /** HTTP/1.1 without a request, the one used last at the end. */
  readonly free: Transport[] = [];
  /** HTTP/2. */
  readonly multiplexed: Transport[] = [];
  readonly opening: Map<ConnectionWaiter, OpeningConnection> = new Map();
  readonly waiting: Set<ConnectionWaiter> = new Set();
  #open = 0;
  /** HTTP/1.1 connections that each owner has in use; null where all are one owner's. */
  readonly #inUse: Map<object, number> | null;

  constructor(isShared: boolean) {
    this.#inUse = isShared ? new Map<object, number>() : null;
  }

  /** Open ones and those that are being opened. */
  get count(): number {
    return this.#open + this.opening.size;
  }

  admit(transport: Transport): void {
    this.#open++;
    if (transport.protocol === "HTTP/2") this.multiplexed.push(transport);
  }

  forget(transport: Transport): void {
    this.#open--;
    remove(this.free, transport);
    remove(this.multiplexed, transport);
  }

  enter(owner: object): void {
    this.#inUse?.set(owner, (this.#inUse.get(owner) ?? 0) + 1);
  }

  leave(owner: object): void {
    if (this.#inUse === null) return;
    const left = (this.#inUse.get(owner) ?? 0) - 1;
    if (left > 0) this.#inUse.set(owner, left);
    else this.#inUse.delete(owner);
  }

  /** Whether an owner has as many connections of a shared pool as a browser takes of one host. */
  hasEnough(owner: object): boolean {
    return (this.#inUse?.get(owner) ?? 0) >= connectionsPerHost;
  }
}

function remove(list: Transport[], transport: Transport): void {
  const index = list.lastIndexOf(transport);
  if (index >= 0) list.splice(index, 1);
}
