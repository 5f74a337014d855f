// Starts as many servers as the argument says, with the shortest possible accept queue: while the process is
// stopped (SIGSTOP), two connections fill it. Each responds with the time at which it accepted the request's
// connection, in ns of the machine's clock. Prints their ports as JSON.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";

const acceptedAt = new WeakMap<Socket, bigint>();
const ports: number[] = [];
while (ports.length < Number(process.argv[2])) {
  const server = createServer((request, response) => {
    response.end(JSON.stringify(String(acceptedAt.get(request.socket))));
  });
  server.on("connection", (socket) => acceptedAt.set(socket, process.hrtime.bigint()));
  server.listen({ port: 0, host: "127.0.0.1", backlog: 1 });
  await once(server, "listening");
  ports.push((server.address() as AddressInfo).port);
}
console.log(JSON.stringify(ports));
