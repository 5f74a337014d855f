import type { OpeningConnection } from "../net/opening-connection.ts";
import type { Transport } from "../transport/transport.ts";

/** As browsers do on HTTP/1.1. */
export const connectionsPerHost = 6;

/** As many owners as their shares stay of, also while they have no request under way. */
const fewOwners = 1024;

/** One owner's share of a shared pool. */
interface Share {
  /** HTTP/1.1 connections in use or being opened, and places in the queue. */
  places: number;
  /** Its requests beyond: each comes into the queue when a place is left. Null until there is one. */
  held: WaitingLine | null;
}

/**
 * The connections of a pool to one origin, and who waits for one. Of a shared pool nobody has more than a browser would,
 * counting also what waits in the queue, so that all who are in the queue can be served in its order.
 */
export class HostConnections {
  /** Those for one request at a time, without one: the one used last at the end. */
  readonly free: Transport[] = [];
  /** Those for several: HTTP/2, and HTTP/1.1 with pipelining. */
  readonly multiplexed: Transport[] = [];
  readonly opening: Map<ConnectionWaiter, OpeningConnection> = new Map();
  /** Idle HTTP/1.1 connections that are taken, while what may have come for them is read. */
  readonly checking: Map<ConnectionWaiter, Transport> = new Map();
  /** True while waiters are being served. The loop that serves them also hands out connections that become free meanwhile. */
  isServing = false;
  readonly #queue: WaitingLine = new WaitingLine();
  #open = 0;
  /** Null where all are one owner's. */
  readonly #shares: Map<object, Share> | null;
  /** Shares that have emptied are dropped together, when there are so many. */
  #roomForShares = fewOwners;

  constructor(isShared: boolean) {
    this.#shares = isShared ? new Map<object, Share>() : null;
  }

  get open(): number {
    return this.#open;
  }

  /** Open ones and those that are being opened. */
  get count(): number {
    return this.#open + this.opening.size;
  }

  admit(transport: Transport): void {
    this.#open++;
    if (transport.isMultiplexed) this.multiplexed.push(transport);
  }

  forget(transport: Transport): void {
    this.#open--;
    remove(this.free, transport);
    remove(this.multiplexed, transport);
  }

  get hasQueue(): boolean {
    return this.#queue.length > 0;
  }

  /** The first in the queue, whose owner keeps its place. */
  next(): ConnectionWaiter | null {
    return this.#queue.take();
  }

  /** Returns true if a waiter that comes now would be the first in the queue. */
  mayServeAtOnce({ owner }: ConnectionWaiter): boolean {
    if (this.hasQueue) return false;
    const share = this.#shares?.get(owner);
    return share === undefined || share.places < connectionsPerHost;
  }

  /** Puts a waiter at the end of the queue, as soon as its owner has a place left. */
  wait(waiter: ConnectionWaiter): void {
    const share = this.#shareOf(waiter.owner);
    if (share !== null && share.places >= connectionsPerHost) (share.held ??= new WaitingLine()).add(waiter);
    else {
      if (share !== null) share.places++;
      this.#queue.add(waiter);
    }
  }

  /** Takes a waiter out of the queue, or from among those that are not in it yet. */
  giveUp(waiter: ConnectionWaiter): void {
    if (this.#queue.remove(waiter)) this.leave(waiter.owner);
    else this.#shares?.get(waiter.owner)?.held?.remove(waiter);
  }

  /** The owner takes a place. */
  enter(owner: object): void {
    const share = this.#shareOf(owner);
    if (share !== null) share.places++;
  }

  /** The owner has a place more, for the first of its own that wait for that. */
  leave(owner: object): void {
    const share = this.#shares?.get(owner);
    if (share === undefined) return;
    share.places--;
    const next = share.held?.take() ?? null;
    if (next === null) return;
    share.places++;
    this.#queue.add(next);
  }

  #shareOf(owner: object): Share | null {
    if (this.#shares === null) return null;
    const known = this.#shares.get(owner);
    if (known !== undefined) return known;
    if (this.#shares.size >= this.#roomForShares) this.#dropEmptied(this.#shares);
    const share = { places: 0, held: null };
    this.#shares.set(owner, share);
    return share;
  }

  #dropEmptied(shares: Map<object, Share>): void {
    for (const [owner, { places }] of shares) if (places === 0) shares.delete(owner);
    this.#roomForShares = Math.max(fewOwners, 2 * shares.size);
  }
}

function remove(list: Transport[], transport: Transport): void {
  const index = list.lastIndexOf(transport);
  if (index >= 0) list.splice(index, 1);
}

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
class WaitingLine {
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
