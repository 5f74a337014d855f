// Does a stall of the target show? A server is frozen for 1.4 s in a run of 20 s at 2,000/s, with 50 VUs and
// a queue, in five runs: p99 of the response time must be within 10 % of S − (1 − q) · T = 1.2 s, while the
// p99 of http_req_duration, which a closed model would have reported, stays below 50 ms. The generator must
// not be called saturated.
import { setTimeout as wait } from "node:timers/promises";

import type { TestResult } from "bearhug";

import { median } from "./statistics.ts";
import { runTest, startServer } from "./bench-process.ts";

const runs = 5;
const frozenMs = 1400;
const durationS = 20;
const oracleMs = frozenMs - 0.01 * durationS * 1000;

const responseTimes: number[] = [];
const durations: number[] = [];
let saturated = 0;
for (let run = 1; run <= runs; run++) {
  const server = await startServer();
  const running = runTest(
    `import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${server.url}",
  scenarios: {
    visitors: {
      executor: "constant-arrival-rate", rate: 2000, duration: "${durationS}s", maxVUs: 50, onBusy: "queue",
      exec: ({ http }) => http.get("/"),
    },
  },
});`,
    "--workers",
    "1",
  );
  await server.freeze(10_000, frozenMs);
  const { result } = await running;
  const counts = await server.counts();
  server.stop();
  const [responseTime, duration] = [p99(result, "http_req_response_time"), p99(result, "http_req_duration")];
  responseTimes.push(responseTime);
  durations.push(duration);
  if (result.generator.verdict === "saturated") saturated++;
  const { scheduled, completed, dropped } = result.accounting.iterations;
  console.log(
    `run ${run}: ${scheduled} due = ${completed} completed + ${dropped} dropped, ${counts.requests} at the server; ` +
      `p99 response time ${responseTime.toFixed(0)} ms, duration ${duration.toFixed(1)} ms; ` +
      `schedule lag ${p99(result, "schedule_lag").toFixed(2)} ms, wait for a VU ${p99(result, "vu_wait").toFixed(0)} ms; ` +
      `generator ${result.generator.verdict}`,
  );
  await wait(500);
}
console.log(
  `median of ${runs}: p99 response time ${median(responseTimes).toFixed(0)} ms (oracle ${oracleMs} ms, within 10 %), ` +
    `duration ${median(durations).toFixed(1)} ms; called saturated ${saturated} times`,
);
const isHeld =
  Math.abs(median(responseTimes) - oracleMs) <= 0.1 * oracleMs && median(durations) < 50 && saturated === 0;
process.exitCode = isHeld ? 0 : 1;

function p99({ metrics }: TestResult, name: string): number {
  const metric = metrics[name];
  return metric?.type === "trend" ? (metric.values["p(99)"] ?? Number.NaN) : Number.NaN;
}
