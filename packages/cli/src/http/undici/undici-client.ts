import { Client } from "undici";

import type { UndiciConnection } from "./undici-connection.ts";
import { closed } from "./undici-failure.ts";

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
