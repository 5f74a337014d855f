import type { Socket } from "node:net";

import { Client, type Dispatcher } from "undici";

import {
  openConnection,
  type ConnectDependencies,
  type ConnectPhases,
  type OpeningConnection,
  type Origin,
} from "./connect.ts";
import type { RequestPhase } from "../exchange/request-error.ts";

const clientOptions: Client.Options = {
  pipelining: 1,
  allowH2: false,
  // Think time is no reason to reconnect; a server that says `Keep-Alive: timeout` is still obeyed.
  keepAliveTimeout: 600_000,
  // The engine keeps its own deadlines: undici's tick every half second.
  headersTimeout: 0,
  bodyTimeout: 0,
};

/** A place for one connection to an origin: it opens when first used, is used by one request at a time, and reopens after a close. */
export class ConnectionSlot {
  readonly origin: Origin;
  readonly #client: Client;
  readonly #dependencies: ConnectDependencies;
  #opening: OpeningConnection | null = null;
  #raw: Socket | null = null;
  #fresh: ConnectPhases | null = null;
  #hasCarried = false;
  #bytesRead = 0;
  #bytesWritten = 0;

  constructor(origin: Origin, dependencies: ConnectDependencies) {
    this.origin = origin;
    this.#dependencies = dependencies;
    this.#client = new Client(origin.text, {
      ...clientOptions,
      connect: (_options, callback) => {
        this.#open(callback);
      },
    });
  }

  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    this.#client.dispatch(options, handler);
  }

  /** The phases of a connection that no request has claimed yet: the first one on it owns them. */
  takeFresh(): ConnectPhases | null {
    const fresh = this.#fresh;
    this.#fresh = null;
    return fresh;
  }

  /** Whether an earlier request went over the connection that is open now; the next one has now done so. */
  markCarried(): boolean {
    const carried = this.#hasCarried;
    this.#hasCarried = true;
    return carried;
  }

  /** Where a request stands that was dispatched but not yet written. */
  get openingPhase(): RequestPhase {
    return this.#opening?.phase ?? "connecting";
  }

  /** Wire bytes since the last call. */
  takeBytes(): { readonly sent: number; readonly received: number } {
    const read = this.#raw?.bytesRead ?? 0;
    const written = this.#raw?.bytesWritten ?? 0;
    const taken = { sent: written - this.#bytesWritten, received: read - this.#bytesRead };
    this.#bytesRead = read;
    this.#bytesWritten = written;
    return taken;
  }

  /** Closes the connection at once; a request on it fails. */
  destroy(): void {
    this.#opening?.cancel();
    this.#client.destroy().catch(() => undefined);
  }

  #open(callback: (...arguments_: [null, Socket] | [Error, null]) => void): void {
    this.#hasCarried = false;
    this.#fresh = null;
    this.#raw = null;
    this.#bytesRead = 0;
    this.#bytesWritten = 0;
    const opening = openConnection(this.origin, this.#dependencies, (error, socket) => {
      this.#raw = opening.raw;
      if (error !== null || socket === null) {
        callback(error ?? new Error("no connection"), null);
        return;
      }
      this.#opening = null;
      this.#fresh = opening.phases;
      callback(null, socket);
    });
    this.#opening = opening;
  }
}
