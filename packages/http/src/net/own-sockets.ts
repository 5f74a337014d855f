import { Socket, type NetConnectOpts, type SocketConstructorOpts } from "node:net";
import { connect, type ConnectionOptions, type TLSSocket } from "node:tls";

const own = new WeakSet<Socket>();
/** True while node:tls creates a socket of the engine's, and connects it before it hands it over. */
let isCreating = false;

/** Connects as `net.connect` does, with a socket that is known to be the engine's. */
export function connectAsEngine(options: NetConnectOpts & SocketConstructorOpts): Socket {
  const socket = new Socket(options);
  own.add(socket);
  return socket.connect(options);
}

/** Connects as `tls.connect` does, with a socket that is known to be the engine's. */
export function connectTlsAsEngine(options: ConnectionOptions & NetConnectOpts): TLSSocket {
  isCreating = true;
  try {
    const socket = connect(options);
    own.add(socket);
    return socket;
  } finally {
    isCreating = false;
  }
}

/** True if the engine opened the socket, or is opening it. */
export function isEngineSocket(socket: Socket): boolean {
  return isCreating || own.has(socket);
}
