import type { Socket } from "node:net";

import type { Clock } from "../../pacing/clock.ts";
import type { ClosingSockets } from "../../net/closing-sockets.ts";
import type { ConnectPhases, Peer } from "../../net/opening-connection.ts";
import type { Origin } from "../../net/origin.ts";
import type { SharedReader } from "../../net/shared-reader.ts";
import type { WireCounters } from "../../net/wire-counters.ts";
import type { TransportObserver } from "../transport/transport.ts";

/** An open connection on which both sides speak HTTP/2, and what it is to know of the world. */
export interface Http2Connection {
  readonly origin: Origin;
  /** The socket for reading and writing: a TLS socket that negotiated `h2`, or a plain one to a server known to speak it. */
  readonly socket: Socket;
  /** The TCP socket below it, or itself. */
  readonly raw: Socket;
  readonly wire: WireCounters;
  readonly phases: ConnectPhases;
  readonly peer: Peer;
  readonly clock: Clock;
  /** At once; the server may allow fewer. */
  readonly maxConcurrentStreams: number;
  /** After so many it takes no more. */
  readonly maxRequests: number;
  readonly observer: TransportObserver;
  /** Takes the connection when it has carried its last request. */
  readonly closing: ClosingSockets;
  /** Receives the bytes in memory that all connections share; null if the socket has memory of its own. */
  readonly reader: SharedReader | null;
}
