// Can one machine hold 5,000 virtual users, a socket each, with 1 s of think time, the server on the same cores?
import { runTest, startServer } from "./bench-process.ts";

const vus = 5000;
// Each virtual user is cut off in the middle of an iteration: of many, that is little.
const durationS = 120;
const wantedShare = 0.98;
const wantedRssMb = 400;

const server = await startServer();
const running = runTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${server.url}",
  scenarios: {
    thinkers: {
      executor: "constant-vus", vus: ${vus}, duration: "${durationS}s",
      exec: async ({ http, think }) => { await http.get("/"); await think("1s"); },
    },
  },
});`);
const { result, peakRssMb } = await running;
const counts = await server.counts();
server.stop();

const completions = result.intervals
  .filter(({ atMs }) => atMs <= durationS * 1000)
  .reduce((sum, { iterations }) => sum + iterations, 0);
const responseTime = result.metrics["http_req_response_time"];
const meanS = (responseTime?.type === "trend" ? responseTime.values.avg : Number.NaN) / 1000;
const possible = (vus * durationS) / (1 + meanS);
const share = completions / possible;
console.log(
  `${counts.connections} connections at the server (${vus} wanted); ` +
    `${completions} completions in ${durationS} s of ${Math.round(possible)} possible: ${(share * 100).toFixed(1)} % (98 % wanted); ` +
    `mean request ${(meanS * 1000).toFixed(2)} ms; peak RSS ${peakRssMb.toFixed(0)} MB (${wantedRssMb} wanted); ` +
    `generator ${result.generator.verdict}, worker busy ${((result.generator.workers[0]?.utilization ?? 0) * 100).toFixed(0)} %`,
);
// The request for the counts is a connection too.
const isHeld = counts.connections === vus + 1 && share >= wantedShare && peakRssMb <= wantedRssMb;
process.exitCode = isHeld ? 0 : 1;
