// Answers everything at once and counts: requests, connections, and when each request came.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

let connections = 0;
let openConnections = 0;
const arrivals: number[] = [];

const server = createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
  if (request.url === "/counts") {
    const [first = 0] = arrivals;
    const counts = {
      requests: arrivals.length,
      connections,
      openConnections,
      arrivals: arrivals.map((at) => at - first),
    };
    response.end(JSON.stringify(counts));
    return;
  }
  arrivals.push(performance.now());
  response.end("hello\n");
});
server.on("connection", (socket) => {
  connections++;
  openConnections++;
  socket.once("close", () => openConnections--);
});
// Thousands of virtual users connect at once: a short queue would make the kernel drop some, and them wait a second.
server.listen({ port: 0, host: "127.0.0.1", backlog: 8192 }, () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
