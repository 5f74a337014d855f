import { Client } from "undici";

import { closed } from "./undici-failure.ts";
import type { OpenConnection } from "../transport/open-connection.ts";
import type { Transport } from "../transport/transport.ts";

/** As long as a timer of Node's can take. */
const longestMs = 2 ** 31 - 1;

/** Timeouts are the engine's; all else is as undici has it by default. */
const settings = {
  headersTimeout: 0,
  bodyTimeout: 0,
  keepAliveTimeout: longestMs,
  keepAliveMaxTimeout: longestMs,
} as const satisfies Client.Options;

/**
 * An undici client for an open connection: it gets our socket, and never opens another. `onAnother` is called where it would,
 * to repeat what is left in its queue: that fails at once.
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
    connect: (_options, hand) => {
      if (hasSocket) {
        onAnother();
        hand(closed(), null);
        return;
      }
      hasSocket = true;
      // Handed over at once, it would not be written to.
      queueMicrotask(() => {
        if (socket.destroyed) hand(closed(), null);
        else hand(null, socket);
      });
    },
  });
}

/** An open connection for undici to speak on. */
export interface UndiciConnection extends OpenConnection {
  /** The protocol that the connection negotiated. */
  readonly protocol: Transport["protocol"];
  /** A proxy that forwards: requests name the address in full, and who asks. */
  readonly proxy: { readonly authorization: string | null } | null;
  /** HTTP/2: streams at once; the server may allow fewer. */
  readonly maxConcurrentStreams: number;
  /** HTTP/1.1: how many requests may be on their way at once. */
  readonly pipelining: number;
  /** When a response last began on any connection of the network, by the clock. */
  readonly lastRead: { atMs: number };
}

/** Has undici speak HTTP on an open connection. */
export type SpeakUndici = (connection: UndiciConnection) => Transport;
