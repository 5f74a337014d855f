import { once } from "node:events";
import type { AddressInfo, Socket } from "node:net";
import { createServer, type TlsOptions, type TLSSocket } from "node:tls";

import { onTestFinished } from "vitest";

export interface TlsServer {
  readonly port: number;
  readonly url: string;
  /** For each handshake, the name that the client sent (SNI), and whether it resumed a session. */
  readonly handshakes: {
    readonly name: string | false | null;
    readonly isResumed: boolean;
    readonly socket: TLSSocket;
  }[];
}

/** Starts a TLS server on loopback that sends "hi" to each client; closed when the test has ended. */
export async function startTlsServer(options: TlsOptions): Promise<TlsServer> {
  const handshakes: TlsServer["handshakes"] = [];
  const sockets: Socket[] = [];
  const server = createServer(options, (socket) => {
    handshakes.push({ name: socket.servername, isResumed: socket.isSessionReused(), socket });
    socket.on("error", () => {});
    socket.write("hi");
  });
  server.on("connection", (socket: Socket) => {
    sockets.push(socket);
    socket.on("error", () => {});
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, "close");
  });
  const { port } = server.address() as AddressInfo;
  return { port, url: `https://127.0.0.1:${port}`, handshakes };
}
