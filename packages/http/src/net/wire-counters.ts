import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";

/** The bytes that a connection has carried in each direction, including those of TLS and of a tunnel. */
export interface WireCounters {
  readonly bytesRead: number;
  readonly bytesWritten: number;
}

/** Returns true for a TLS socket, without loading `node:tls`. */
export function isTlsSocket(socket: Socket): socket is TLSSocket {
  return "encrypted" in socket && socket.encrypted === true;
}

/**
 * Returns the wire counters of a TLS socket that dialled by itself: its own counters count plain text. They
 * belong to the TCP handle below the TLS handle, both of which are private fields; null if this Node does not
 * have them.
 */
export function countersBelow(socket: TLSSocket): WireCounters | null {
  const handle: unknown = Reflect.get(socket, "_handle");
  const below: unknown = isObject(handle) ? Reflect.get(handle, "_parent") : null;
  return isObject(below) && isCounting(below) ? new HandleCounters(below) : null;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function isCounting(handle: object): handle is WireCounters {
  return ["bytesRead", "bytesWritten"].every((name) => typeof Reflect.get(handle, name) === "number");
}

/** Keeps the last counts, because a closed handle reports 0. */
class HandleCounters implements WireCounters {
  readonly #handle: WireCounters;
  #read = 0;
  #written = 0;

  constructor(handle: WireCounters) {
    this.#handle = handle;
  }

  get bytesRead(): number {
    return (this.#read = Math.max(this.#read, this.#handle.bytesRead));
  }

  get bytesWritten(): number {
    return (this.#written = Math.max(this.#written, this.#handle.bytesWritten));
  }
}
