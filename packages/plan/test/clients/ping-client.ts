import { once } from "node:events";

import { clientOfEachVu, type ClientModule } from "../../src/clients/client.ts";
import { Operations, type Operation } from "../../src/clients/operations.ts";
import { connectAsEngine } from "../../../http/src/net/engine-sockets.ts";

/** Pings over TCP: `tcp.ping(port)` in a test. */
export const client: ClientModule = clientOfEachVu((vu, parts) => {
  const pings = new Operations(vu, parts);
  return {
    context: () => ({ ping: (port: number) => pings.run("ping", (operation) => ping(port, operation)) }),
    interrupt: (grace) => pings.interrupt(grace),
  };
});

/** Connects, writes a line and waits for one. */
async function ping(port: number, { sent, signal }: Operation): Promise<void> {
  const socket = connectAsEngine({ port, host: "127.0.0.1" });
  try {
    await once(socket, "connect", { signal });
    sent();
    socket.write("ping\n");
    await once(socket, "data", { signal });
  } finally {
    socket.destroy();
  }
}
