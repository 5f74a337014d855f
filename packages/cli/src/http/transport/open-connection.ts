import type { Socket } from "node:net";

import type { ConnectPhases, Peer } from "../../net/opening-connection.ts";
import type { Origin } from "../../net/origin.ts";
import type { WireCounters } from "../../net/wire-counters.ts";
import type { Clock } from "../../pacing/clock.ts";
import type { TransportObserver } from "./transport.ts";

/** An open connection, for a transport to speak on. */
export interface OpenConnection {
  readonly origin: Origin;
  /** The socket for reading and writing. */
  readonly socket: Socket;
  /** The TCP socket below it, or itself. */
  readonly raw: Socket;
  readonly wire: WireCounters;
  readonly phases: ConnectPhases;
  readonly peer: Peer;
  readonly clock: Clock;
  /** Requests that it carries; on HTTP/1.1 the last one says that it is. */
  readonly maxRequests: number;
  readonly observer: TransportObserver;
}
