// How much does a measured `fetch` cost compared with bare `undici.fetch`? The CPU of the whole process, all
// threads, of the built command line for one request in an iteration, its body read and checked, divided by
// that of an `Agent` of undici's with as many connections: medians of nine interleaved rounds. Also
// `http.get`, and both transports against undici's `request`. `node bench/fetch-cost.ts 7 20000` makes seven
// rounds of 20,000 requests.
import { median } from "./statistics.ts";
import { startQuickServer } from "./quick-server.ts";
import { costInScript, costInUndici, type BareWay } from "./request-cost.ts";

const wantedRatio = 1.3;
const connections = 64;
const [rounds = 9, requests = 50_000] = process.argv.slice(2).map(Number);
const warmup = Math.max(20_000, requests / 4);

/** A way to send a request in a scenario, and the bare one that it is compared with. */
interface Way {
  readonly title: string;
  /** The expression for the response. */
  readonly call: string;
  readonly options: readonly string[];
  readonly bare: BareWay;
}

const server = await startQuickServer();
const load = { url: server.url, connections, warmup, requests };
const ways: readonly [Way, ...Way[]] = [
  { title: "http.fetch", call: `http.fetch("/")`, options: [], bare: "fetch" },
  { title: "fetch", call: `fetch("${server.url}/")`, options: [], bare: "fetch" },
  { title: "http.get", call: `http.get("/")`, options: [], bare: "request" },
  {
    title: "http.get, undici's transport",
    call: `http.get("/")`,
    options: ["--transport", "undici"],
    bare: "request",
  },
];

console.log(
  `${requests} requests a side to ${server.name} on ${connections} connections, Node ${process.version}`,
);
const ratios = new Map<Way, number[]>(ways.map((way) => [way, []]));
try {
  for (let round = 1; round <= rounds; round++) {
    for (const way of ways) {
      // Both run close together in time, so that other load on the machine affects both.
      const bare = costInUndici(load, way.bare);
      const ours = await costInScript(load, iterationOf(way), ...way.options);
      ratios.get(way)?.push(ours / bare);
      console.log(
        `round ${round}: ${way.title} ${ours.toFixed(2)} µs, undici's ${way.bare} ${bare.toFixed(2)} µs: ${(ours / bare).toFixed(3)}`,
      );
    }
  }
} finally {
  await server.stop();
}
for (const [{ title, bare }, ofWay] of ratios) {
  const [least, most] = [Math.min(...ofWay), Math.max(...ofWay)].map((ratio) => ratio.toFixed(3));
  console.log(`${title}: median ${median(ofWay).toFixed(3)} times undici's ${bare} (${least} to ${most})`);
}
const ratio = median(ratios.get(ways[0]) ?? []);
console.log(`http.fetch: at most ${wantedRatio} times wanted`);
process.exitCode = ratio <= wantedRatio ? 0 : 1;

function iterationOf({ call }: Way): string {
  return `const response = await ${call};
        const text = await response.text();
        check(response, { "is whole": ({ status }) => status === 200 && text === "hello\\n" });`;
}
