// Are the reported percentiles those of the target? A server waits according to a known mixture and records
// how long each response took: 500/s for 20 s after a warm-up, five runs per mixture. The median difference
// of p50, p90, p99 and p99.9 must be within the histogram's precision (0.1 %) + 0.5 ms.
import { median } from "./statistics.ts";
import { runTest, startServer } from "./bench-process.ts";

const runs = 5;
const rate = 500;
const measuredS = 20;
/** The time until both sides have compiled their code. */
const warmupS = 3;
const percentiles = [50, 90, 99, 99.9] as const;
// No boundary between two waits is at one of the percentiles: there, a single response would decide.
const mixtures: Readonly<Record<string, string>> = {
  "always 5 ms": "5",
  "80 % 5 ms, 15 % 40 ms, 4.5 % 150 ms, 0.5 % 300 ms": "5*800,40*150,150*45,300*5",
  "60 % at once, 36 % 20 ms, 3.6 % 100 ms, 0.4 % 800 ms": "0*600,20*360,100*36,800*4",
};

let worstExcessMs = -Infinity;
for (const [name, mixture] of Object.entries(mixtures)) {
  const differences = percentiles.map((): number[] => []);
  const own = percentiles.map((): number[] => []);
  for (let run = 1; run <= runs; run++) {
    const server = await startServer();
    const { result } = await runTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${server.url}",
  warmup: "${warmupS}s",
  scenarios: {
    visitors: {
      executor: "constant-arrival-rate", rate: ${rate}, duration: "${warmupS + measuredS}s",
      exec: ({ http, iteration }) =>
        http.get(iteration.index < ${rate * warmupS} ? "/warm-up?${mixture}" : "/wait?${mixture}"),
    },
  },
});`);
    const { tookMs } = await server.counts();
    server.stop();
    const sent = result.accounting.requests.reduce((sum, request) => sum + request.sent, 0);
    if (sent !== tookMs.length) throw new Error(`${sent} sent, but ${tookMs.length} at the server`);
    const reported = result.metrics["http_req_duration"];
    const sorted = [...tookMs].sort((left, right) => left - right);
    for (const [index, percentile] of percentiles.entries()) {
      const real = sorted[Math.max(0, Math.ceil((percentile / 100) * sorted.length) - 1)] ?? Number.NaN;
      const reportedMs = reported?.type === "trend" ? reported.values[`p(${percentile})`] : undefined;
      own[index]?.push(real);
      differences[index]?.push((reportedMs ?? Number.NaN) - real);
    }
  }
  const differencesText = percentiles.map((percentile, index) => {
    const realMs = median(own[index] ?? []);
    const differenceMs = median(differences[index] ?? []);
    worstExcessMs = Math.max(worstExcessMs, Math.abs(differenceMs) - (0.5 + realMs / 1000));
    return `p${percentile} ${realMs.toFixed(2)} ms ${differenceMs >= 0 ? "+" : "−"}${Math.abs(differenceMs).toFixed(2)}`;
  });
  console.log(`${name}: ${differencesText.join(", ")}`);
}
console.log(worstExcessMs <= 0 ? "all within 0.1 % + 0.5 ms" : `beyond it by ${worstExcessMs.toFixed(2)} ms`);
process.exitCode = worstExcessMs <= 0 ? 0 : 1;
