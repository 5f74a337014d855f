import { Socket, type NetConnectOpts, type SocketConstructorOpts } from "node:net";

const own = new WeakSet<Socket>();

/** Connects as `net.connect` does, with a socket that is known to be the engine's. */
export function connectAsEngine(options: NetConnectOpts & SocketConstructorOpts): Socket {
  const socket = new Socket(options);
  own.add(socket);
  return socket.connect(options);
}

/** True if the engine opened the socket. */
export function isEngineSocket(socket: Socket): boolean {
  return own.has(socket);
}
