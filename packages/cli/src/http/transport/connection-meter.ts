import type { Socket } from "node:net";

import type { ConnectPhases } from "../../net/opening-connection.ts";
import type { WireBytes } from "./transport.ts";

/** The figures of an open connection, each handed out once: its wire bytes, and the phases of its opening. */
export class ConnectionMeter {
  readonly #raw: Pick<Socket, "bytesRead" | "bytesWritten">;
  #fresh: ConnectPhases | null;
  #bytesRead = 0;
  #bytesWritten = 0;

  /** `raw` is the TCP socket, also below TLS: its counters are wire bytes. */
  constructor({
    raw,
    phases,
  }: {
    readonly raw: Pick<Socket, "bytesRead" | "bytesWritten">;
    readonly phases: ConnectPhases;
  }) {
    this.#raw = raw;
    this.#fresh = phases;
  }

  /** Wire bytes since the last call. */
  takeBytes(): WireBytes {
    const { bytesRead, bytesWritten } = this.#raw;
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
