import { HostConnections, type ConnectionWaiter } from "./host-connections.ts";
import type { Origin } from "../net/origin.ts";
import { TlsSessions } from "../net/tls-sessions.ts";
import type { Transport, TransportObserver } from "../transport/transport.ts";
import type { OpeningConnection } from "../net/opening-connection.ts";

/**
 * The connections of one VU, or of all VUs of a worker. The most recently used free one is reused first, so
 * that others age out.
 */
export class ConnectionPool implements TransportObserver {
  readonly #source: ConnectionSource;
  readonly #hosts = new Map<string, HostConnections>();
  readonly #sessions = new TlsSessions();
  /** The last request's connections, and their key: most requests have the same origin as the one before. */
  #lastHost: HostConnections | null = null;
  #lastPool = "";
  #isClosed = false;

  constructor(source: ConnectionSource) {
    this.#source = source;
  }

  /** Hands a connection to the waiter: at once if one has room or may be opened, otherwise in its turn. */
  request(origin: Origin, waiter: ConnectionWaiter): void {
    const host = this.#host(origin);
    if (host.mayServeAtOnce(waiter) && this.#hasRoom(origin, host)) {
      host.enter(waiter.owner);
      this.#serve(origin, host, waiter);
    } else host.wait(waiter);
  }

  /** Stops waiting, and cancels a connection that is being opened for the waiter. */
  cancel(origin: Origin, waiter: ConnectionWaiter): void {
    const host = this.#host(origin);
    const opening = host.opening.get(waiter);
    const checked = host.checking.get(waiter);
    if (checked !== undefined) {
      host.checking.delete(waiter);
      host.leave(waiter.owner);
      if (this.#isClosed) checked.close();
      else host.addFree(checked);
    } else if (opening === undefined) host.giveUp(waiter);
    else {
      host.opening.delete(waiter);
      host.leave(waiter.owner);
      this.#source.giveUp(origin, opening);
    }
    this.#serveWaiting(origin, host);
  }

  /** Returns a connection whose request has ended, so that it can serve the next one. */
  release(transport: Transport, owner: object): void {
    const host = this.#host(transport.origin);
    if (!transport.isMultiplexed) host.leave(owner);
    if (transport.isIdle && (this.#isClosed || transport.room === 0)) transport.close();
    else if (!transport.isMultiplexed) host.addFree(transport);
    this.#serveWaiting(transport.origin, host);
  }

  onGone(transport: Transport): void {
    const host = this.#host(transport.origin);
    host.forget(transport);
    this.#serveWaiting(transport.origin, host);
  }

  onUnrequestedBytes({ origin }: Transport, bytes: number, lastName: string): void {
    this.#source.onUnrequestedBytes(origin, bytes, lastName);
  }

  onRoom(transport: Transport): void {
    this.#serveWaiting(transport.origin, this.#host(transport.origin));
  }

  /** Closes every connection that is not in use; those in use close when they are released. */
  close(): void {
    this.#isClosed = true;
    this.closeIdle();
  }

  /** Closes every connection that is not in use. Later requests open new ones. */
  closeIdle(): void {
    for (const { mayBeIdle } of this.#hosts.values())
      for (const transport of mayBeIdle) if (transport.isIdle) transport.close();
  }

  #host({ pool }: Origin): HostConnections {
    if (this.#lastHost !== null && this.#lastPool === pool) return this.#lastHost;
    let host = this.#hosts.get(pool);
    if (host === undefined) {
      host = new HostConnections(this.#source.isShared);
      this.#hosts.set(pool, host);
    }
    this.#lastHost = host;
    this.#lastPool = pool;
    return host;
  }

  #serveWaiting(origin: Origin, host: HostConnections): void {
    if (host.isServing) return;
    host.isServing = true;
    try {
      while (host.hasQueue && this.#hasRoom(origin, host)) {
        const waiter = host.next();
        if (waiter !== null) this.#serve(origin, host, waiter);
      }
    } finally {
      host.isServing = false;
    }
  }

  /** Returns true if a waiter can be served now. */
  #hasRoom(origin: Origin, host: HostConnections): boolean {
    if (this.#streamWithRoom(host) !== undefined) return true;
    for (let last = host.lastFree; last !== null; last = host.lastFree) {
      if (last.room > 0) return true;
      last.close();
    }
    return !this.#isClosed && host.count < this.#source.limitOf(origin, host.open);
  }

  /** Hands over an available connection, or opens one. The waiter's owner already holds a place. */
  #serve(origin: Origin, host: HostConnections, waiter: ConnectionWaiter): void {
    const stream = this.#streamWithRoom(host);
    if (stream !== undefined) {
      host.leave(waiter.owner);
      waiter.onConnection(stream);
      return;
    }
    const free = host.takeFree();
    if (free === null) this.#open(origin, host, waiter);
    else if (this.#source.mayHavePendingReads()) this.#check(origin, host, waiter, free);
    else waiter.onConnection(free);
  }

  #check(origin: Origin, host: HostConnections, waiter: ConnectionWaiter, free: Transport): void {
    host.checking.set(waiter, free);
    this.#source.afterPendingReads(() => {
      this.#checked(origin, host, waiter);
    });
  }

  /** Hands over the checked connection. If there was pending data, reading it has closed the connection. */
  #checked(origin: Origin, host: HostConnections, waiter: ConnectionWaiter): void {
    const free = host.checking.get(waiter);
    if (free === undefined) return;
    host.checking.delete(waiter);
    if (free.room > 0) {
      waiter.onConnection(free);
      return;
    }
    free.close();
    if (this.#hasRoom(origin, host)) this.#serve(origin, host, waiter);
    else {
      host.leave(waiter.owner);
      host.wait(waiter);
    }
  }

  #streamWithRoom({ multiplexed }: HostConnections): Transport | undefined {
    for (const transport of multiplexed) if (transport.room > 0 && !transport.isSuspect) return transport;
    return undefined;
  }

  #open(origin: Origin, host: HostConnections, waiter: ConnectionWaiter): void {
    const caller = { observer: this, sessions: this.#sessions };
    const opening = this.#source.open(origin, caller, (opened) => {
      host.opening.delete(waiter);
      if (opened instanceof Error) {
        host.leave(waiter.owner);
        waiter.onConnectFailed(opened);
      } else {
        host.admit(opened);
        if (opened.isMultiplexed) host.leave(waiter.owner);
        waiter.onConnection(opened);
      }
      this.#serveWaiting(origin, host);
    });
    host.opening.set(waiter, opening);
    waiter.onOpening(opening);
  }
}

/** The pool that a connection is opened for. */
export interface ConnectionCaller {
  readonly observer: TransportObserver;
  /** The TLS sessions that it can resume. */
  readonly sessions: TlsSessions;
}

/** Opens a pool's connections and limits their number. */
export interface ConnectionSource {
  /** True if one pool serves all VUs of a worker. */
  readonly isShared: boolean;
  /** Returns how many connections a pool may have to an origin, given the number of open ones. */
  limitOf(origin: Origin, open: number): number;
  /** Opens a connection and determines its protocol. Calls `opened` later, after `open` has returned. */
  open(
    origin: Origin,
    caller: ConnectionCaller,
    opened: (result: Transport | Error) => void,
  ): OpeningConnection;
  /** Called when bytes arrive on an idle connection. */
  onUnrequestedBytes(origin: Origin, bytes: number, lastName: string): void;
  /** Returns false if data of idle connections was read just now. */
  mayHavePendingReads(): boolean;
  /** Calls back, in a later turn, when pending data of idle connections has been read. */
  afterPendingReads(callback: () => void): void;
  /** Cancels an opening that took too long, or whose request no longer waits for it. */
  giveUp(origin: Origin, opening: OpeningConnection): void;
}
