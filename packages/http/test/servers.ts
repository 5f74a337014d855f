import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from "node:net";

import { onTestFinished } from "vitest";

export interface HttpServer {
  readonly url: string;
  readonly host: string;
  /** Request lines, in the order in which they came. */
  readonly lines: string[];
  /** The index in `sockets` of each request's connection. */
  readonly connectionOf: number[];
  readonly sockets: Socket[];
}

type Respond = (request: IncomingMessage, response: ServerResponse, body: Buffer) => void;

async function listen(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return `127.0.0.1:${port}`;
}

function closeAfterwards(server: Server, sockets: readonly Socket[]): void {
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, "close");
  });
}

/** Starts a server on loopback that reads each request in full, then responds; closed after the test. */
export async function startServer(respond: Respond): Promise<HttpServer> {
  const lines: string[] = [];
  const connectionOf: number[] = [];
  const sockets: Socket[] = [];
  const server = createServer({ keepAliveTimeout: 75_000 }, (request, response) => {
    lines.push(`${request.method ?? ""} ${request.url ?? ""}`);
    connectionOf.push(sockets.indexOf(request.socket));
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      respond(request, response, Buffer.concat(chunks));
    });
  });
  server.on("connection", (socket) => sockets.push(socket));
  const host = await listen(server);
  closeAfterwards(server, sockets);
  return { url: `http://${host}`, host, lines, connectionOf, sockets };
}

export interface RawServer {
  readonly url: string;
  readonly sockets: Socket[];
  /** Request heads, each with its request line, in the order in which they came. */
  readonly heads: string[];
}

/** Starts a server that responds to each request head with what the test writes to the socket. */
export async function startRawServer(
  onHead: (socket: Socket, head: string, count: number) => void,
): Promise<RawServer> {
  const sockets: Socket[] = [];
  const heads: string[] = [];
  const server = createTcpServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => {});
    let pending = "";
    socket.setEncoding("latin1").on("data", (text: string) => {
      pending += text;
      for (let end = pending.indexOf("\r\n\r\n"); end >= 0; end = pending.indexOf("\r\n\r\n")) {
        const head = pending.slice(0, end);
        pending = pending.slice(end + 4);
        heads.push(head);
        onHead(socket, head, heads.length);
      }
    });
  });
  const host = await listen(server);
  closeAfterwards(server, sockets);
  return { url: `http://${host}`, sockets, heads };
}

/** Starts a server that records the bytes it receives, and never responds. */
export async function startByteServer(): Promise<{
  readonly url: string;
  readonly receivedText: () => string;
}> {
  let receivedText = "";
  const sockets: Socket[] = [];
  const server = createTcpServer((socket) => {
    sockets.push(socket);
    socket
      .setEncoding("latin1")
      .on("error", () => {})
      .on("data", (text: string) => (receivedText += text));
  });
  const host = await listen(server);
  closeAfterwards(server, sockets);
  return { url: `http://${host}`, receivedText: () => receivedText };
}

/** Returns a URL on whose port nothing listens. */
export async function closedPort(): Promise<string> {
  const server = createTcpServer();
  const host = await listen(server);
  server.close();
  await once(server, "close");
  return `http://${host}`;
}
