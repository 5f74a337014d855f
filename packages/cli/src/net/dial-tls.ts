import { isIP, type NetConnectOpts, type OnReadOpts, type Socket } from "node:net";

import type { DialTarget } from "./dial-tcp.ts";
import { connectAsEngine, connectTlsAsEngine } from "./own-sockets.ts";
import { handshakeOptions, serverName, type Handshake } from "./shake-hands.ts";
import { countersBelow } from "./wire-counters.ts";

/** True if TLS may dial: for a server without a name node:tls keeps sessions by the address that it dials. */
export function mayDialTls(handshake: Handshake, target: DialTarget): boolean {
  const name = serverName(handshake);
  return (
    isIP(name) === 0 || ("addresses" in target && target.addresses.every(({ address }) => address === name))
  );
}

/**
 * Dials a socket of TLS, the only one that reads into memory of ours: node:tls ignores `onread` where it is given a
 * connection. Its handshake begins once it is connected. Dials TCP where this Node hides the counters of wire bytes.
 */
export function dialTls(endpoint: NetConnectOpts, onread: OnReadOpts, handshake: Handshake): Socket {
  const socket = connectTlsAsEngine({ ...handshakeOptions(handshake), ...endpoint, onread });
  // Node 22 does not know the option of this name.
  socket.setNoDelay(true);
  if (countersBelow(socket) !== null) return socket;
  socket.destroy();
  return connectAsEngine(endpoint);
}
