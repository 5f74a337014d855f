// What does a request cost beside bare undici? CPU of the whole process, all threads, for one request with all phases, tags
// and one check, of the built command line, over that of undici's `dispatch`: median of nine interleaved pairs.
// `node bench/request-path.ts 3 40000` makes three pairs of 40,000 requests.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

import { runTest } from "./bench-process.ts";
import { median } from "./median.ts";
import { startQuickServer } from "./quick-server.ts";

const wantedRatio = 1.4;
const connections = 64;
const [pairs = 9, requests = 200_000] = process.argv.slice(2).map(Number);
/** Until both sides have compiled what they run. */
const warmup = Math.max(20_000, requests / 4);

const bareUndici = fileURLToPath(new URL("bare-undici.ts", import.meta.url));

const server = await startQuickServer();
console.log(
  `${requests} requests a side to ${server.name} on ${connections} connections, Node ${process.version}`,
);
const ratios: number[] = [];
try {
  for (let pair = 1; pair <= pairs; pair++) {
    const ours = await ofBearhug(server.url);
    const bare = ofUndici(server.url);
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

/** Microseconds of CPU a request. The clock of CPU time is read where the iterations run, and is the whole process's. */
async function ofBearhug(url: string): Promise<number> {
  const source = `import { defineTest } from "@bearhug/sdk";
let before;
export default defineTest({
  baseUrl: "${url}",
  metrics: { cpu_us: { type: "gauge" } },
  scenarios: {
    visitors: {
      executor: "shared-iterations", vus: ${connections}, iterations: ${warmup + requests + 1},
      tags: { kind: "visitor" },
      exec: async ({ http, check, iteration, metrics }) => {
        if (iteration.index === ${warmup}) before = process.cpuUsage();
        if (iteration.index === ${warmup + requests}) {
          const { user, system } = process.cpuUsage(before);
          metrics.cpu_us.add(user + system);
        }
        const response = await http.get("/", { tags: { part: "front" } });
        check(response, { "status is 200": (r) => r.status === 200 });
      },
    },
  },
});`;
  const { result } = await runTest(source, "--workers", "1");
  const [sent, succeeded] = [sumOf("sent"), sumOf("succeeded")];
  const checked = result.checks.reduce((sum, { passes }) => sum + passes, 0);
  const wanted = warmup + requests + 1;
  if (sent !== wanted || succeeded !== wanted || checked !== wanted) {
    throw new Error(
      `${wanted} iterations, but ${sent} requests sent, ${succeeded} answered, ${checked} checked`,
    );
  }
  const used = result.metrics["cpu_us"];
  return (used?.type === "gauge" ? used.values.value : Number.NaN) / requests;

  function sumOf(state: "sent" | "succeeded"): number {
    return result.accounting.requests.reduce((sum, request) => sum + request[state], 0);
  }
}

function ofUndici(url: string): number {
  const counts = [connections, warmup, requests].map(String);
  return (
    Number(execFileSync(process.execPath, [bareUndici, url, ...counts], { encoding: "utf8" })) / requests
  );
}
