// Can one machine run thousands of virtual users, each with a socket, with the server on the same cores?
// 5,000 with 1 s of think time, 15,000 with 10 s. `node bench/many-vus.ts 15000` runs one of the cases alone.
import { runTest, startServer } from "./bench-process.ts";

interface Case {
  readonly vus: number;
  readonly thinkS: number;
  /** Long enough that the iteration in which each virtual user is cut off hardly matters. */
  readonly durationS: number;
  readonly wantedShare: number;
  readonly wantedRssMb: number;
}

const cases: readonly Case[] = [
  { vus: 5000, thinkS: 1, durationS: 120, wantedShare: 0.98, wantedRssMb: 400 },
  { vus: 15_000, thinkS: 10, durationS: 120, wantedShare: 0.9, wantedRssMb: 900 },
];

const chosen = process.argv.slice(2).map(Number);
let allHeld = true;
for (const one of cases) {
  if (chosen.length > 0 && !chosen.includes(one.vus)) continue;
  allHeld = (await holds(one)) && allHeld;
}
process.exitCode = allHeld ? 0 : 1;

async function holds({ vus, thinkS, durationS, wantedShare, wantedRssMb }: Case): Promise<boolean> {
  const server = await startServer();
  const { result, peakRssMb } = await runTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${server.url}",
  scenarios: {
    thinkers: {
      executor: "constant-vus", vus: ${vus}, duration: "${durationS}s", gracefulStop: "0s",
      exec: async ({ http, think }) => { await http.get("/"); await think("${thinkS}s"); },
    },
  },
});`);
  const counts = await server.counts();
  server.stop();
  const completions = result.accounting.iterations.completed;
  const responseTime = result.metrics["http_req_response_time"];
  const meanS = (responseTime?.type === "trend" ? responseTime.values.avg : Number.NaN) / 1000;
  const possible = (vus * durationS) / (thinkS + meanS);
  const share = completions / possible;
  const failed = result.accounting.requests.reduce((sum, request) => sum + request.failed, 0);
  console.log(
    `${vus} VUs, ${thinkS} s of think time: ${counts.connections} connections at the server; ` +
      `${completions} completions in ${durationS} s of ${Math.round(possible)} possible: ${(share * 100).toFixed(1)} % ` +
      `(${wantedShare * 100} % wanted); ${failed} failed; mean request ${(meanS * 1000).toFixed(2)} ms; ` +
      `peak RSS ${peakRssMb.toFixed(0)} MB (${wantedRssMb} wanted); generator ${result.generator.verdict}, ` +
      `worker busy ${((result.generator.workers[0]?.utilization ?? 0) * 100).toFixed(0)} %`,
  );
  // The request for the counts is a connection too.
  return counts.connections === vus + 1 && share >= wantedShare && peakRssMb <= wantedRssMb && failed === 0;
}
