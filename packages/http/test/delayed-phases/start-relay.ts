import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

import { onTestFinished } from "vitest";

export interface Relay {
  readonly host: string;
  /** How long each client's first bytes were really held: on a busy machine timers are late. */
  readonly heldMs: number[];
}

/** Starts a relay to a server on loopback that holds each client's first bytes; closed after the test. */
export async function startRelay(port: number, holdMs: number): Promise<Relay> {
  const sockets: Socket[] = [];
  const heldMs: number[] = [];
  const server = createServer((client) => {
    const target = connect({ host: "127.0.0.1", port, noDelay: true });
    sockets.push(client, target);
    client.setNoDelay(true);
    target.pipe(client);
    client.once("readable", () => {
      const receivedAt = performance.now();
      setTimeout(() => {
        heldMs.push(performance.now() - receivedAt);
        client.pipe(target);
      }, holdMs);
    });
    client.on("error", () => {}).on("close", () => target.destroy());
    target.on("error", () => {}).on("close", () => client.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, "close");
  });
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, heldMs };
}
