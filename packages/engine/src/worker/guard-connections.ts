import { isIPv6, Socket } from "node:net";

import { isEngineSocket } from "@bearhug/http/net/engine-sockets";

/**
 * Returns an error to refuse a connection to a host and port, null to allow it. IPv6 addresses are in
 * brackets.
 */
type CheckConnection = (hostname: string, port: number) => Error | null;

/**
 * Checks every connection that the engine does not open itself, until the returned function is called: those
 * of node:http, node:https, node:http2, node:tls, fetch and undici. Not checked: pipes and Unix sockets,
 * which stay on this machine, UDP, and connections of other threads and processes.
 */
export function guardConnections(check: CheckConnection): () => void {
  const { prototype } = Socket;
  const original: unknown = Reflect.get(prototype, "connect");
  if (typeof original !== "function") throw new TypeError("sockets of this Node cannot connect");
  const guarded = function connect(this: Socket, ...given: unknown[]): Socket {
    const destination = isEngineSocket(this) ? null : destinationOf(given);
    const error = destination === null ? null : check(destination.hostname, destination.port);
    if (error === null) Reflect.apply(original, this, given);
    else refuse(this, error);
    return this;
  };
  Reflect.set(prototype, "connect", guarded);
  return () => {
    if (Reflect.get(prototype, "connect") === guarded) Reflect.set(prototype, "connect", original);
  };
}

/** Fails like a real connection: it is `connecting` first, and the error comes once the caller can listen. */
function refuse(socket: Socket, error: Error): void {
  Reflect.set(socket, "connecting", true);
  process.nextTick(() => socket.destroy(error));
}

interface Destination {
  readonly hostname: string;
  readonly port: number;
}

/**
 * Reads the arguments of `connect`: options, a port with a host, or a path. Node itself passes them as one
 * array.
 */
function destinationOf(given: readonly unknown[]): Destination | null {
  const [first, second]: readonly unknown[] = Array.isArray(given[0]) ? given[0] : given;
  if (typeof first === "object" && first !== null) {
    const { path, port, host }: { path?: unknown; port?: unknown; host?: unknown } = first;
    return typeof path === "string" ? null : destination(host, port);
  }
  const isPath = typeof first === "string" && !Number.isInteger(Number(first));
  return isPath ? null : destination(second, first);
}

function destination(host: unknown, port: unknown): Destination {
  const hostname = typeof host === "string" && host !== "" ? host.toLowerCase() : "localhost";
  return { hostname: isIPv6(hostname) ? `[${hostname}]` : hostname, port: Number(port) };
}
