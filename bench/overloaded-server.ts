// Serves a few requests at once, by timers, so that it takes no CPU. `node overloaded-server.ts 8 80 refuse`
// serves 8 requests at once, each for 80 ms, and responds with 503 while all 8 places are taken. With `wait`,
// requests wait for a place, first come, first served, without limit, and are served even if their client has
// gone. GET /overtaxed returns the periods in which all places were taken and more requests came, in ms since
// 1970.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const [places, serviceMs] = [Number(process.argv[2]), Number(process.argv[3])];
const refuses = process.argv[4] === "refuse";

/** Each period from the first request that found no place to the next free place. */
const overtaxed: { readonly fromMs: number; toMs: number | null }[] = [];
const waiting: (() => void)[] = [];
let taken = 0;

function now(): number {
  return performance.timeOrigin + performance.now();
}

/** Takes a place for exactly as long as planned, even if the timer before it was late. */
function serve(reply: () => void, startedMs: number): void {
  const endMs = startedMs + serviceMs;
  setTimeout(
    () => {
      reply();
      const next = waiting.shift();
      if (next !== undefined) serve(next, endMs);
      else taken -= 1;
      const last = overtaxed.at(-1);
      if (last !== undefined && waiting.length === 0) last.toMs ??= now();
    },
    Math.max(0, endMs - now()),
  );
}

const server = createServer({ noDelay: true }, (request, response) => {
  if (request.url === "/overtaxed") {
    response.end(JSON.stringify(overtaxed));
    return;
  }
  if (taken < places) {
    taken += 1;
    serve(() => response.end(), now());
    return;
  }
  if (overtaxed.at(-1)?.toMs !== null) overtaxed.push({ fromMs: now(), toMs: null });
  if (refuses) response.writeHead(503).end();
  else waiting.push(() => response.end());
});
server.listen({ port: 0, host: "127.0.0.1", backlog: 4096 }, () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
