// How late does an open model start its iterations, and how much CPU does that cost? 2,000/s of empty
// iterations for 20 s on one worker, five runs: median schedule lag p99 at most 2 ms, generator healthy,
// worker busy below 25 %. Then 20/s for 20 s: the whole process below 5 % of a core.
import { median } from "./statistics.ts";
import { runTest } from "./bench-process.ts";

const runs = 5;
const wantedLagMs = 2;
const wantedUtilization = 0.25;
const wantedCpuShare = 0.05;

const lags: number[] = [];
const utilizations: number[] = [];
let healthy = 0;
let lost = 0;
for (let run = 1; run <= runs; run++) {
  const { result } = await runTest(emptyAt(2000), "--workers", "1");
  const [worker] = result.generator.workers;
  const lag = result.metrics["schedule_lag"];
  const lagP99Ms = lag?.type === "trend" ? lag.values["p(99)"] : undefined;
  lags.push(lagP99Ms ?? Number.NaN);
  utilizations.push(worker?.utilization ?? Number.NaN);
  if (result.generator.verdict === "healthy") healthy++;
  const { completed, dropped } = result.accounting.iterations;
  lost += 40_000 - completed;
  console.log(
    `run ${run}: ${completed} of 40,000 completed, ${dropped} dropped; schedule lag p99 ${lagP99Ms?.toFixed(2)} ms; ` +
      `busy ${((worker?.utilization ?? 0) * 100).toFixed(1)} %; generator ${result.generator.verdict}`,
  );
}
const { cpuShare } = await runTest(emptyAt(20), "--workers", "1");
console.log(
  `median of ${runs}: schedule lag p99 ${median(lags).toFixed(2)} ms (${wantedLagMs} wanted), ` +
    `busy ${(median(utilizations) * 100).toFixed(1)} % (${wantedUtilization * 100} wanted), healthy ${healthy} of ${runs}; ` +
    `at 20/s ${(cpuShare * 100).toFixed(1)} % of a core (${wantedCpuShare * 100} wanted)`,
);
const isHeld =
  median(lags) <= wantedLagMs &&
  median(utilizations) < wantedUtilization &&
  healthy > runs / 2 &&
  lost === 0 &&
  cpuShare < wantedCpuShare;
process.exitCode = isHeld ? 0 : 1;

function emptyAt(rate: number): string {
  return `import { defineTest } from "@bearhug/sdk";
export default defineTest({
  expectNoRequests: true,
  scenarios: {
    empty: { executor: "constant-arrival-rate", rate: ${rate}, duration: "20s", exec: () => undefined },
  },
});`;
}
