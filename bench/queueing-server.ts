// One server with a queue (M/M/1): serves one request at a time, first come, first served, each for an
// exponentially distributed time. `node queueing-server.ts 700 1` serves 700 requests per second on average,
// with random numbers of seed 1. GET /served returns how many requests it has served, and their mean service
// time by its own clock, from the start of service to the reply.
import { createServer, type AddressInfo, type Socket } from "node:net";

import { randomSource } from "../packages/plan/src/pacing/random-source.ts";

const [perSecond, seed] = [Number(process.argv[2]), Number(process.argv[3])];
const reply = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";
const headEnd = "\r\n\r\n";
/** Never notified: waiting for it is a sleep that ends on time, unlike a timer. */
const never = new Int32Array(new SharedArrayBuffer(4));

const random = randomSource(seed, 0);
const queue: Socket[] = [];
/** The time when the next request in the queue is first in line. */
let freeAt = 0;
let isIdle = true;
let served = 0;
let servedMs = 0;

function serveOne(): void {
  const socket = queue.shift();
  if (socket === undefined) {
    isIdle = true;
    return;
  }
  const dueAt = freeAt - (Math.log(1 - random()) * 1000) / perSecond;
  for (let left = dueAt - performance.now(); left > 0; left = dueAt - performance.now()) {
    Atomics.wait(never, 0, 0, left);
  }
  const repliedAt = performance.now();
  served += 1;
  servedMs += repliedAt - freeAt;
  freeAt = repliedAt;
  socket.write(reply);
  // Requests that arrive before serveOne() runs count as waiting since `freeAt`.
  setImmediate(serveOne);
}

function respondServed(socket: Socket): void {
  const body = JSON.stringify({ served, meanMs: servedMs / served });
  socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
}

const server = createServer({ noDelay: true }, (socket) => {
  let rest = "";
  socket.setEncoding("latin1").on("data", (text: string) => {
    const heads = (rest + text).split(headEnd);
    rest = heads.pop() ?? "";
    for (const head of heads) {
      if (head.startsWith("GET /served ")) respondServed(socket);
      else queue.push(socket);
    }
    if (!isIdle || queue.length === 0) return;
    isIdle = false;
    freeAt = performance.now();
    setImmediate(serveOne);
  });
  socket.on("error", () => socket.destroy());
});
server.listen({ port: 0, host: "127.0.0.1", backlog: 4096 }, () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
