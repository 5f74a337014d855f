import type { Socket } from "node:net";

import type { Clock } from "../../pacing/clock.ts";
import type { ConnectPhases, Peer } from "../../net/opening-connection.ts";
import type { Origin } from "../../net/origin.ts";
import type { WireCounters } from "../../net/wire-counters.ts";
import type { Transport, TransportObserver } from "../transport/transport.ts";

/** An open connection for undici to speak on, and what it is to know of the world. */
export interface UndiciConnection {
  readonly origin: Origin;
  /** The one that the connection negotiated. */
  readonly protocol: Transport["protocol"];
  /** The socket that is written to and read from. */
  readonly socket: Socket;
  /** The TCP socket below it, or itself. */
  readonly raw: Socket;
  readonly wire: WireCounters;
  readonly phases: ConnectPhases;
  readonly peer: Peer;
  /** A proxy that forwards: requests name the address in full, and who asks. */
  readonly proxy: { readonly authorization: string | null } | null;
  readonly clock: Clock;
  /** The last request says that it is. */
  readonly maxRequests: number;
  /** HTTP/2: at once; the server may allow fewer. */
  readonly maxConcurrentStreams: number;
  /** HTTP/1.1: how many requests may be on their way at once. */
  readonly pipelining: number;
  readonly observer: TransportObserver;
  /** When a response last began on any connection of the network, by the clock. */
  readonly lastRead: { atMs: number };
}

/** Has undici speak HTTP on an open connection. */
export type SpeakUndici = (connection: UndiciConnection) => Transport;
