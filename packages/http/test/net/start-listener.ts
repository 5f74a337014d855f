import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";

import { onTestFinished } from "vitest";

export interface Listener {
  readonly port: number;
  readonly sockets: Socket[];
}

/** Starts a server on an address or a unix socket's path; closed when the test has ended. */
export async function startListener(
  at: string,
  onSocket: (socket: Socket) => void = () => {},
  port = 0,
): Promise<Listener> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => {});
    socket.resume();
    onSocket(socket);
  });
  if (at.startsWith("/")) server.listen(at);
  else server.listen(port, at);
  await once(server, "listening");
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, "close");
  });
  return { port: at.startsWith("/") ? 0 : (server.address() as AddressInfo).port, sockets };
}
