import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";

/** The bytes that a connection has carried in each direction: those of TLS, and of a tunnel, included. */
export interface WireCounters {
  readonly bytesRead: number;
  readonly bytesWritten: number;
}

/** Returns true for a TLS socket, without loading `node:tls` for others. */
export function isTlsSocket(socket: Socket): socket is TLSSocket {
  return "encrypted" in socket && socket.encrypted === true;
}

/**
 * The wire bytes of TLS that dials by itself; its own counters are of plain text. Null if this Node does not show them:
 * they are the counters of the TCP handle below the handle of TLS, and both fields are private.
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

/** A handle that is closed counts 0. */
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
