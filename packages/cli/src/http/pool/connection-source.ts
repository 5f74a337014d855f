import type { OpeningConnection } from "../../net/opening-connection.ts";
import type { Origin } from "../../net/origin.ts";
import type { TlsSessions } from "../../net/tls-sessions.ts";
import type { Transport, TransportObserver } from "../transport/transport.ts";

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
