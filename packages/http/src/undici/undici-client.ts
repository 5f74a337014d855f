import { Client } from "undici";

import { closed } from "./undici-failure.ts";
import type { OpenConnection } from "../transport/open-connection.ts";
import type { Transport } from "../transport/transport.ts";

/** The longest duration of a Node timer. */
const longestMs = 2 ** 31 - 1;

/** Disables undici's timeouts, because the engine has its own. All other settings are undici's defaults. */
const settings = {
  headersTimeout: 0,
  bodyTimeout: 0,
  keepAliveTimeout: longestMs,
  keepAliveMaxTimeout: longestMs,
} as const satisfies Client.Options;

/**
 * Creates an undici client for an open connection: it gets our socket, and never opens another. `onAnother`
 * is called when it tries to, for the requests left in its queue: that attempt fails at once.
 */
export function clientOn(
  { origin, socket }: UndiciConnection,
  options: Client.Options,
  onAnother: () => void,
): Client {
  let hasSocket = false;
  return new Client(origin.text, {
    ...settings,
    ...options,
    connect: (_options, done) => {
      if (hasSocket) {
        onAnother();
        done(closed(), null);
        return;
      }
      hasSocket = true;
      // If it got the socket synchronously, undici would not write to it.
      queueMicrotask(() => {
        if (socket.destroyed) done(closed(), null);
        else done(null, socket);
      });
    },
  });
}

/** An open connection that undici uses. */
export interface UndiciConnection extends OpenConnection {
  /** The protocol that the connection negotiated. */
  readonly protocol: Transport["protocol"];
  /** Set for a forwarding proxy: requests then have the full address, and credentials if there are any. */
  readonly proxy: { readonly authorization: string | null } | null;
  /** HTTP/2: the most streams at once; the server may allow fewer. */
  readonly maxConcurrentStreams: number;
  /** HTTP/1.1: how many requests may be in flight at once. */
  readonly pipelining: number;
  /** When a response last began on any connection of the network, by the clock. */
  readonly lastRead: { atMs: number };
}

/** Creates an undici transport on an open connection. */
export type SpeakUndici = (connection: UndiciConnection) => Transport;
