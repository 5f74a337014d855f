// Sets a cookie for every visitor and counts requests that send one back, for vu-memory.ts. The argument
// selects the protocol: "http1", "tls" or "http2"; the certificate is in BENCH_KEY and BENCH_CERT. Started
// with a channel: sends its address there, and replies to each message with its counts.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from "node:http2";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Server } from "node:net";

const protocol = process.argv[2];
const { BENCH_KEY: key = "", BENCH_CERT: cert = "" } = process.env;
const keepAliveTimeout = 600_000;
let visitors = 0;
let cookies = 0;
let openConnections = 0;

const server = start();
server.on("connection", (socket) => {
  openConnections++;
  socket.once("close", () => openConnections--);
});
// Thousands of virtual users connect at once. With a short queue, the kernel would drop some connections,
// which then wait a second.
server.listen({ port: 0, host: "127.0.0.1", backlog: 16_384 }, () => {
  const scheme = protocol === "http1" ? "http" : "https";
  process.send?.(`${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.on("message", () => process.send?.({ visitors, cookies, openConnections }));
process.on("disconnect", () => process.exit());

function start(): Server {
  if (protocol === "http2") return createSecureServer({ key, cert }, respond);
  return protocol === "tls"
    ? createTlsServer({ key, cert, keepAliveTimeout }, respond)
    : createServer({ keepAliveTimeout }, respond);
}

function respond(
  { headers }: IncomingMessage | Http2ServerRequest,
  response: ServerResponse | Http2ServerResponse,
): void {
  if (headers.cookie === undefined) {
    visitors++;
    response.setHeader("set-cookie", `visitor=${visitors}; Path=/; HttpOnly`);
  } else cookies++;
  response.end("hello\n");
}
