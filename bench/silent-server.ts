// Accepts requests and never responds: HTTP/1.1 and HTTP/2. Prints its addresses as JSON.
import { createServer as createHttp2Server } from "node:http2";
import { once } from "node:events";
import { createServer, type AddressInfo, type Server } from "node:net";

async function listen(server: Server): Promise<string> {
  server.listen({ port: 0, host: "127.0.0.1", backlog: 4096 });
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const http1 = createServer((socket) => {
  socket.on("error", () => undefined).resume();
});
const http2 = createHttp2Server().on("stream", (stream) => {
  stream.on("error", () => undefined).resume();
});
console.log(JSON.stringify({ http1: await listen(http1), h2c: await listen(http2) }));
