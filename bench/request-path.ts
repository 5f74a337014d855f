// What does a request cost beside bare undici? CPU of the whole process, all threads, for one request with all phases, tags
// and one check, of the built command line, over that of undici's `dispatch`: median of nine interleaved pairs.
// `node bench/request-path.ts 3 40000` makes three pairs of 40,000 requests.
import { median } from "./median.ts";
import { startQuickServer } from "./quick-server.ts";
import { costInBearhug, costInUndici } from "./request-cost.ts";

const wantedRatio = 1.4;
const connections = 64;
const [pairs = 9, requests = 200_000] = process.argv.slice(2).map(Number);
const warmup = Math.max(20_000, requests / 4);

const request = `const response = await http.get("/", { tags: { part: "front" } });
        check(response, { "status is 200": (r) => r.status === 200 });`;

const server = await startQuickServer();
const load = { url: server.url, connections, warmup, requests };
console.log(
  `${requests} requests a side to ${server.name} on ${connections} connections, Node ${process.version}`,
);
const ratios: number[] = [];
try {
  for (let pair = 1; pair <= pairs; pair++) {
    const ours = await costInBearhug(load, request);
    const bare = costInUndici(load, "dispatch");
    ratios.push(ours / bare);
    console.log(
      `pair ${pair}: bearhug ${ours.toFixed(2)} µs, undici ${bare.toFixed(2)} µs: ${(ours / bare).toFixed(3)}`,
    );
  }
} finally {
  server.stop();
}
const ratio = median(ratios);
console.log(`median ${ratio.toFixed(3)} times the CPU of bare undici (at most ${wantedRatio} wanted)`);
process.exitCode = ratio <= wantedRatio ? 0 : 1;
