import type { Socket } from "node:net";

import type { Clock } from "@bearhug/plan/pacing/clock";

import type { ConnectPhases, Peer } from "../net/opening-connection.ts";
import type { Origin } from "../net/origin.ts";
import type { WireCounters } from "../net/wire-counters.ts";
import type { TransportObserver, WireBytes } from "./transport.ts";

/** An open connection, ready for a transport. */
export interface OpenConnection {
  readonly origin: Origin;
  /** The socket for reading and writing. */
  readonly socket: Socket;
  /** The TCP socket below `socket`, or `socket` itself. */
  readonly raw: Socket;
  readonly wire: WireCounters;
  readonly phases: ConnectPhases;
  readonly peer: Peer;
  readonly clock: Clock;
  /** How many requests it may carry; on HTTP/1.1 the last one announces the close. */
  readonly maxRequests: number;
  readonly observer: TransportObserver;
}

/** The figures of an open connection, each handed out once: its wire bytes, and the phases of its opening. */
export class ConnectionMeter {
  readonly #wire: WireCounters;
  #fresh: ConnectPhases | null;
  #bytesRead = 0;
  #bytesWritten = 0;

  constructor({ wire, phases }: { readonly wire: WireCounters; readonly phases: ConnectPhases }) {
    this.#wire = wire;
    this.#fresh = phases;
  }

  /** Returns the wire bytes since the last call. */
  takeBytes(): WireBytes {
    const { bytesRead, bytesWritten } = this.#wire;
    const taken = { sent: bytesWritten - this.#bytesWritten, received: bytesRead - this.#bytesRead };
    this.#bytesRead = bytesRead;
    this.#bytesWritten = bytesWritten;
    return taken;
  }

  /** Returns the phases of the opening on the first call, then null. */
  takeOpeningPhases(): ConnectPhases | null {
    const fresh = this.#fresh;
    this.#fresh = null;
    return fresh;
  }
}
