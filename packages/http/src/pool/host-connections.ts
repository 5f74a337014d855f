import type { OpeningConnection } from "../net/opening-connection.ts";
import type { Transport } from "../transport/transport.ts";

/** The limit that browsers have for HTTP/1.1. */
export const connectionsPerHost = 6;

/** Up to this number, owners' shares are kept even while empty. */
const keptShares = 1024;

/** One owner's share of a shared pool. */
interface Share {
  /** HTTP/1.1 connections in use or being opened, and places in the queue. */
  places: number;
  /** Its requests beyond the limit. Each enters the queue when a place becomes free. Null until needed. */
  held: WaitingLine | null;
}

/**
 * The connections of a pool to one origin, and the requests that wait for one. In a shared pool no owner has
 * more places than a browser would, counting its requests in the queue, so that the queue can be served
 * strictly in order.
 */
export class HostConnections {
  readonly opening: Map<ConnectionWaiter, OpeningConnection> = new Map();
  /** Idle HTTP/1.1 connections already assigned to a waiter, while their pending data is read. */
  readonly checking: Map<ConnectionWaiter, Transport> = new Map();
  /** True while a loop serves waiters. It also hands out connections that become free in the meantime. */
  isServing = false;
  /** The idle connection, of those that carry one request at a time, that was used last. */
  #free: Transport | null = null;
  /** The other idle ones, the most recently used one last; null until there are any, as usual for one VU. */
  #otherFree: Transport[] | null = null;
  #multiplexed: Transport[] | null = null;
  /** Null until a request has to wait. */
  #queue: WaitingLine | null = null;
  #open = 0;
  /** By owner; null if the pool is not shared. */
  readonly #shares: Map<object, Share> | null;
  /** The number of shares at which empty ones are dropped. */
  #roomForShares = keptShares;

  constructor(isShared: boolean) {
    this.#shares = isShared ? new Map<object, Share>() : null;
  }

  get open(): number {
    return this.#open;
  }

  /** The number of connections that are open or being opened. */
  get count(): number {
    return this.#open + this.opening.size;
  }

  admit(transport: Transport): void {
    this.#open++;
    if (transport.isMultiplexed) (this.#multiplexed ??= []).push(transport);
  }

  /** Connections that carry several requests at once: HTTP/2, and HTTP/1.1 with pipelining. */
  get multiplexed(): readonly Transport[] {
    return this.#multiplexed ?? none;
  }

  /** The idle connection that was used last. */
  get lastFree(): Transport | null {
    return this.#free;
  }

  /** Adds a connection that has become idle. */
  addFree(transport: Transport): void {
    if (this.#free !== null) (this.#otherFree ??= []).push(this.#free);
    this.#free = transport;
  }

  /** Removes and returns the idle connection that was used last. */
  takeFree(): Transport | null {
    const free = this.#free;
    this.#free = this.#otherFree?.pop() ?? null;
    return free;
  }

  /** All connections that may be idle. */
  get mayBeIdle(): readonly Transport[] {
    const free = this.#free === null ? none : [this.#free];
    return [...free, ...(this.#otherFree ?? none), ...this.multiplexed];
  }

  forget(transport: Transport): void {
    this.#open--;
    if (this.#free === transport) this.takeFree();
    else remove(this.#otherFree, transport);
    remove(this.#multiplexed, transport);
  }

  get hasQueue(): boolean {
    return this.#queue !== null && this.#queue.length > 0;
  }

  /** Takes the first waiter from the queue. Its owner keeps the place. */
  next(): ConnectionWaiter | null {
    return this.#queue?.take() ?? null;
  }

  /** Returns true if a new waiter would be the first in the queue. */
  mayServeAtOnce({ owner }: ConnectionWaiter): boolean {
    if (this.hasQueue) return false;
    const share = this.#shares?.get(owner);
    return share === undefined || share.places < connectionsPerHost;
  }

  /** Puts a waiter at the end of the queue, as soon as its owner has a free place. */
  wait(waiter: ConnectionWaiter): void {
    const share = this.#shareOf(waiter.owner);
    if (share !== null && share.places >= connectionsPerHost) (share.held ??= new WaitingLine()).add(waiter);
    else {
      if (share !== null) share.places++;
      (this.#queue ??= new WaitingLine()).add(waiter);
    }
  }

  /** Removes a waiter from the queue, or from its owner's requests that have not entered it yet. */
  giveUp(waiter: ConnectionWaiter): void {
    if (this.#queue?.remove(waiter) === true) this.leave(waiter.owner);
    else this.#shares?.get(waiter.owner)?.held?.remove(waiter);
  }

  /** Takes a place for the owner. */
  enter(owner: object): void {
    const share = this.#shareOf(owner);
    if (share !== null) share.places++;
  }

  /** Frees one of the owner's places, and gives it to the first of its held requests. */
  leave(owner: object): void {
    const share = this.#shares?.get(owner);
    if (share === undefined) return;
    share.places--;
    const next = share.held?.take() ?? null;
    if (next === null) return;
    share.places++;
    (this.#queue ??= new WaitingLine()).add(next);
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
    this.#roomForShares = Math.max(keptShares, 2 * shares.size);
  }
}

const none: readonly Transport[] = [];

function remove(list: Transport[] | null, transport: Transport): void {
  const index = list?.lastIndexOf(transport) ?? -1;
  if (index >= 0) list?.splice(index, 1);
}

/** A request that may have to wait for a connection. */
export interface ConnectionWaiter {
  /** The owner of the request: in a shared pool, no owner takes more connections than a browser would. */
  readonly owner: object;
  /** Its position, set by the line that it waits in; null while it is in no line. */
  placeInLine: number | null;
  /** A connection is being opened for it. */
  onOpening(opening: OpeningConnection): void;
  /** The waiter has a place on a connection, until it releases it. */
  onConnection(transport: Transport): void;
  onConnectFailed(error: Error): void;
}

/** Emptied places at the front are cut off once there are more than this, and more than half of all. */
const keptPlaces = 64;

/**
 * Waiters in order of arrival, each at constant cost. Removing from the front of a Set is not constant. A Map
 * of places leaks: V8 rebuilds its table after as many changes as it has entries, and each old table keeps
 * the next one alive, with all its requests, until the next full garbage collection.
 */
class WaitingLine {
  /** Null for a place that its waiter has left. */
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

  /** Removes and returns the first waiter. */
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
