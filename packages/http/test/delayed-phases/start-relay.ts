import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

import { onTestFinished } from "vitest";

export interface Relay {
  readonly host: string;
  /** How long each client's first words were held: on a busy machine timers are late. */
  readonly heldMs: number[];
}

/** Passes on what clients and a server on loopback say to each other, the clients' first words after a while; closed when the test has ended. */
export async function startRelay(port: number, holdMs: number): Promise<Relay> {
  const sockets: Socket[] = [];
  const heldMs: number[] = [];
  const server = createServer((client) => {
    const target = connect({ host: "127.0.0.1", port, noDelay: true });
    sockets.push(client, target);
    client.setNoDelay(true);
    target.pipe(client);
    client.once("readable", () => {
      const cameAt = performance.now();
      setTimeout(() => {
        heldMs.push(performance.now() - cameAt);
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
