import { Socket, type NetConnectOpts, type SocketConstructorOpts } from "node:net";
import { connect, type ConnectionOptions, type TLSSocket } from "node:tls";

const own = new WeakSet<Socket>();
/** True while node:tls creates and connects a socket for the engine, before it returns the socket. */
let isCreating = false;

/** Connects like `net.connect`, and marks the socket as the engine's. */
export function connectAsEngine(options: NetConnectOpts & SocketConstructorOpts): Socket {
  const socket = new Socket(options);
  own.add(socket);
  return socket.connect(options);
}

/** Connects like `tls.connect`, and marks the socket as the engine's. */
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

/** Returns true if the engine opened the socket, or is opening it. */
export function isEngineSocket(socket: Socket): boolean {
  return isCreating || own.has(socket);
}
