// Gives every visitor a cookie and counts who brings it back, for vu-memory.ts. Speaks what its argument says: "http1",
// "tls" or "http2"; the certificate stands in BENCH_KEY and BENCH_CERT. Started with a channel: says its address there, and
// answers each message with what it has counted.
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
// Thousands of virtual users connect at once: a short queue would make the kernel drop some, and them wait a second.
server.listen({ port: 0, host: "127.0.0.1", backlog: 16_384 }, () => {
  const scheme = protocol === "http1" ? "http" : "https";
  process.send?.(`${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.on("message", () => process.send?.({ visitors, cookies, openConnections }));
process.on("disconnect", () => process.exit());

function start(): Server {
  if (protocol === "http2") return createSecureServer({ key, cert }, answer);
  return protocol === "tls"
    ? createTlsServer({ key, cert, keepAliveTimeout }, answer)
    : createServer({ keepAliveTimeout }, answer);
}

function answer(
  { headers }: IncomingMessage | Http2ServerRequest,
  response: ServerResponse | Http2ServerResponse,
): void {
  if (headers.cookie === undefined) {
    visitors++;
    response.setHeader("set-cookie", `visitor=${visitors}; Path=/; HttpOnly`);
  } else cookies++;
  response.end("hello\n");
}
