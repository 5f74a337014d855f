import type { ConnectPhases } from "../../net/opening-connection.ts";
import type { WireCounters } from "../../net/wire-counters.ts";
import type { WireBytes } from "./transport.ts";

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

  /** Wire bytes since the last call. */
  takeBytes(): WireBytes {
    const { bytesRead, bytesWritten } = this.#wire;
    const taken = { sent: bytesWritten - this.#bytesWritten, received: bytesRead - this.#bytesRead };
    this.#bytesRead = bytesRead;
    this.#bytesWritten = bytesWritten;
    return taken;
  }

  /** The phases of the opening, for the first that asks. */
  takeFresh(): ConnectPhases | null {
    const fresh = this.#fresh;
    this.#fresh = null;
    return fresh;
  }
}
