import { HostConnections, type ConnectionWaiter } from "./host-connections.ts";
import type { Origin } from "../net/origin.ts";
import { TlsSessions } from "../net/tls-sessions.ts";
import type { Transport, TransportObserver } from "../transport/transport.ts";
import type { OpeningConnection } from "../net/opening-connection.ts";

/** Connections of one VU, or of all VUs of a worker. Of free ones the one used last is used next, so that others may age out. */
export class ConnectionPool implements TransportObserver {
  readonly #source: ConnectionSource;
  readonly #hosts = new Map<string, HostConnections>();
  readonly #sessions = new TlsSessions();
  /** The connections of the last request: most requests have the same origin as the one before. */
  #last: { readonly pool: string; readonly host: HostConnections } | null = null;
  #isClosed = false;

  constructor(source: ConnectionSource) {
    this.#source = source;
  }

  /** Hands a connection to the waiter, at once when one has room or may be opened, else in its turn. */
  request(origin: Origin, waiter: ConnectionWaiter): void {
    const host = this.#host(origin);
    if (host.mayServeAtOnce(waiter) && this.#hasRoom(origin, host)) {
      host.enter(waiter.owner);
      this.#serve(origin, host, waiter);
    } else host.wait(waiter);
  }

  /** Gives up waiting, also for a connection that is being opened for it. */
  cancel(origin: Origin, waiter: ConnectionWaiter): void {
    const host = this.#host(origin);
    const opening = host.opening.get(waiter);
    const checked = host.checking.get(waiter);
    if (checked !== undefined) {
      host.checking.delete(waiter);
      host.leave(waiter.owner);
      if (this.#isClosed) checked.close();
      else host.free.push(checked);
    } else if (opening === undefined) host.giveUp(waiter);
    else {
      host.opening.delete(waiter);
      host.leave(waiter.owner);
      this.#source.giveUp(origin, opening);
    }
    this.#serveWaiting(origin, host);
  }

  /** The waiter's request has ended; its place may serve the next one. */
  release(transport: Transport, owner: object): void {
    const host = this.#host(transport.origin);
    if (!transport.isMultiplexed) host.leave(owner);
    if (transport.isIdle && (this.#isClosed || transport.room === 0)) transport.close();
    else if (!transport.isMultiplexed) host.free.push(transport);
    this.#serveWaiting(transport.origin, host);
  }

  onGone(transport: Transport): void {
    const host = this.#host(transport.origin);
    host.forget(transport);
    this.#serveWaiting(transport.origin, host);
  }

  onUnasked({ origin }: Transport, bytes: number, lastName: string): void {
    this.#source.onUnasked(origin, bytes, lastName);
  }

  onRoom(transport: Transport): void {
    this.#serveWaiting(transport.origin, this.#host(transport.origin));
  }

  /** Closes every connection that is not in use; those in use close when they are released. */
  close(): void {
    this.#isClosed = true;
    for (const { free, multiplexed } of this.#hosts.values()) {
      for (const transport of [...free, ...multiplexed]) if (transport.isIdle) transport.close();
    }
  }

  #host({ pool }: Origin): HostConnections {
    if (this.#last?.pool === pool) return this.#last.host;
    let host = this.#hosts.get(pool);
    if (host === undefined) {
      host = new HostConnections(this.#source.isShared);
      this.#hosts.set(pool, host);
    }
    this.#last = { pool, host };
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
    if (this.#roomyStream(host) !== undefined) return true;
    for (let last = host.free.at(-1); last !== undefined; last = host.free.at(-1)) {
      if (last.room > 0) return true;
      last.close();
    }
    return !this.#isClosed && host.count < this.#source.limitOf(origin, host.open);
  }

  /** Hands over what there is, or opens a connection; the waiter's owner has a place. */
  #serve(origin: Origin, host: HostConnections, waiter: ConnectionWaiter): void {
    const stream = this.#roomyStream(host);
    if (stream !== undefined) {
      host.leave(waiter.owner);
      waiter.onConnection(stream);
      return;
    }
    const free = host.free.pop();
    if (free === undefined) this.#open(origin, host, waiter);
    else if (this.#source.catchUp(() => this.#checked(origin, host, waiter))) host.checking.set(waiter, free);
    else waiter.onConnection(free);
  }

  /** Everything that had arrived is read by now. A connection that got bytes, or its end, is out of the pool. */
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

  #roomyStream({ multiplexed }: HostConnections): Transport | undefined {
    return multiplexed.find((transport) => transport.room > 0 && !transport.isSuspect);
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

/** Whoever a connection is opened for. */
export interface ConnectionCaller {
  readonly observer: TransportObserver;
  /** Its TLS sessions, to be resumed. */
  readonly sessions: TlsSessions;
}

/** Opens a pool's connections and limits their number. */
export interface ConnectionSource {
  /** True if one pool serves all VUs of a worker. */
  readonly isShared: boolean;
  /** Returns the number of connections that a pool may have to an origin, given how many are open. */
  limitOf(origin: Origin, open: number): number;
  /** Opens a connection and finds out what it speaks; `opened` is told, not before `open` has returned. */
  open(
    origin: Origin,
    caller: ConnectionCaller,
    opened: (result: Transport | Error) => void,
  ): OpeningConnection;
  /** Bytes came on an idle connection. */
  onUnasked(origin: Origin, bytes: number, lastName: string): void;
  /**
   * Calls back, in a later turn, when what has come for idle connections is read; false, without a call, where that was
   * so a moment ago.
   */
  catchUp(callback: () => void): boolean;
  /** Cancels an opening that took too long, or that nobody wants any more. */
  giveUp(origin: Origin, opening: OpeningConnection): void;
}
