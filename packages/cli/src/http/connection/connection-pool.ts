import type { ConnectDependencies, Origin } from "./connect.ts";
import { ConnectionSlot } from "./connection-slot.ts";

/** As browsers do on HTTP/1.1. */
const connectionsPerOrigin = 6;

/** A request that may have to wait for a connection. */
export interface ConnectionWaiter {
  /** A connection is free now, and the waiter's own until it is released or discarded. */
  onConnection(slot: ConnectionSlot): void;
}

interface OriginSlots {
  readonly free: ConnectionSlot[];
  readonly waiting: Set<ConnectionWaiter>;
  inUse: number;
}

/** The connections of one VU. The one used last is used next, so that idle ones may age out. */
export class ConnectionPool {
  readonly #dependencies: ConnectDependencies;
  readonly #origins = new Map<Origin, OriginSlots>();

  constructor(dependencies: ConnectDependencies) {
    this.#dependencies = dependencies;
  }

  /** Hands a connection to the waiter, at once when one is free or may be opened, else in its turn. */
  request(origin: Origin, waiter: ConnectionWaiter): void {
    let slots = this.#origins.get(origin);
    if (slots === undefined) {
      slots = { free: [], waiting: new Set(), inUse: 0 };
      this.#origins.set(origin, slots);
    }
    if (slots.inUse >= connectionsPerOrigin) {
      slots.waiting.add(waiter);
      return;
    }
    slots.inUse++;
    waiter.onConnection(slots.free.pop() ?? new ConnectionSlot(origin, this.#dependencies));
  }

  /** Gives up waiting. */
  cancel(origin: Origin, waiter: ConnectionWaiter): void {
    this.#origins.get(origin)?.waiting.delete(waiter);
  }

  /** The slot may serve the next request. */
  release(slot: ConnectionSlot): void {
    const slots = this.#leave(slot.origin);
    if (slots === undefined) return;
    slots.free.push(slot);
    this.#serveNext(slot.origin, slots);
  }

  /** The slot's connection is beyond use. */
  discard(slot: ConnectionSlot): void {
    slot.destroy();
    const slots = this.#leave(slot.origin);
    if (slots !== undefined) this.#serveNext(slot.origin, slots);
  }

  /** Closes every connection that is not in use. */
  close(): void {
    for (const { free } of this.#origins.values()) {
      for (const slot of free.splice(0)) slot.destroy();
    }
  }

  #leave(origin: Origin): OriginSlots | undefined {
    const slots = this.#origins.get(origin);
    if (slots !== undefined) slots.inUse--;
    return slots;
  }

  #serveNext(origin: Origin, slots: OriginSlots): void {
    for (const waiter of slots.waiting) {
      slots.waiting.delete(waiter);
      this.request(origin, waiter);
      return;
    }
  }
}
