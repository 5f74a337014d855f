// Are arrivals of an open model evenly spread, as seen by the server? 500/s for 10 s, five runs: in at least
// three of them, each window of 100 ms (50 arrivals on time) must have 30 to 70 arrivals.
import { runTest, startServer } from "./bench-process.ts";

const runs = 5;
const windowMs = 100;
let spread = 0;

for (let run = 1; run <= runs; run++) {
  const server = await startServer();
  const { result } = await runTest(`import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${server.url}",
  scenarios: {
    steady: { executor: "constant-arrival-rate", rate: 500, duration: "10s", exec: ({ http }) => http.get("/") },
  },
});`);
  const { arrivals } = await server.counts();
  server.stop();
  const windows = Array.from({ length: 100 }, () => 0);
  for (const at of arrivals) {
    const index = Math.floor(at / windowMs);
    windows[index] = (windows[index] ?? 0) + 1;
  }
  const whole = windows.slice(0, 99);
  const [fewest, most] = [Math.min(...whole), Math.max(...whole)];
  if (fewest >= 30 && most <= 70) spread++;
  const { scheduled, started, dropped } = result.accounting.iterations;
  const lag = result.generator.workers[0]?.scheduleLagP99Ms ?? Number.NaN;
  console.log(
    `run ${run}: scheduled ${scheduled} = started ${started} + dropped ${dropped}; at the server ${arrivals.length}; ` +
      `per ${windowMs} ms: ${fewest} to ${most}; schedule lag p99 ${lag.toFixed(2)} ms; generator ${result.generator.verdict}`,
  );
}
console.log(`${spread} of ${runs} runs within 30 to 70 per ${windowMs} ms (at least 3 wanted)`);
process.exitCode = spread >= 3 ? 0 : 1;
