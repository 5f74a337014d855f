// Responds, and counts requests, connections, when each request arrived, and how long its response took by
// this server's own clock. `/` responds at once; `/wait?5*900,40*100` waits 5 ms nine times of ten, and 40 ms
// once; so does `/warm-up?…`, whose times are not recorded.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

let connections = 0;
let openConnections = 0;
const arrivals: number[] = [];
const tookMs: number[] = [];

const server = createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
  const [path, query = ""] = (request.url ?? "").split("?");
  if (path === "/counts") {
    const [first = 0] = arrivals;
    const counts = {
      requests: arrivals.length,
      connections,
      openConnections,
      arrivals: arrivals.map((at) => at - first),
      tookMs,
    };
    response.end(JSON.stringify(counts));
    return;
  }
  const arrivedAt = performance.now();
  arrivals.push(arrivedAt);
  if (arrivals.length === 1) console.log("the first request arrived");
  const waitMs = path === "/" ? 0 : nextWaitMs(query);
  const respond = (): void => {
    response.end("hello\n");
    if (path !== "/warm-up") tookMs.push(performance.now() - arrivedAt);
  };
  if (waitMs === 0) respond();
  else setTimeout(respond, waitMs);
});
server.on("connection", (socket) => {
  connections++;
  openConnections++;
  socket.once("close", () => openConnections--);
});
// Thousands of virtual users connect at once. With a short queue, the kernel would drop some connections,
// which then wait a second.
server.listen({ port: 0, host: "127.0.0.1", backlog: 16_384 }, () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});

const waits = new Map<string, readonly number[]>();
let responses = 0;

/** Returns the next wait in a shuffled list of the mixture, so that each wait has exactly its share. */
function nextWaitMs(mixture: string): number {
  let list = waits.get(mixture);
  if (list === undefined) {
    const all = mixture.split(",").flatMap((part) => {
      const [waitMs = "0", count = "1"] = part.split("*");
      return Array.from({ length: Number(count) }, () => Number(waitMs));
    });
    // A step that has no common divisor with the length visits every place once.
    const step = all.length > 1 ? 617 : 1;
    list = all.map((_, index) => all[(index * step) % all.length] ?? 0);
    waits.set(mixture, list);
  }
  return list[responses++ % list.length] ?? 0;
}
