// Is the generator's verdict right? Short runs with a threshold on times, half of them alone with their
// target on this machine, half of them on one core that they share with three busy loops: none of the first
// may be called saturated, and all of the second must be. Run it on a machine that does nothing else;
// `--realtime` gives the healthy runs priority over other processes (needs root).
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { parseArgs } from "node:util";

import type { TestResult } from "bearhug";

import { runTestBy, startServer } from "./bench-process.ts";

const { values: options } = parseArgs({
  options: {
    runs: { type: "string", default: "200" },
    duration: { type: "string", default: "3s" },
    realtime: { type: "boolean", default: false },
  },
});
const runs = Number(options.runs);
const { duration } = options;

const server = await startServer();

/** Loads that a healthy generator easily applies, each with a threshold on times. */
const loads: Readonly<Record<string, string>> = {
  "20/s": `executor: "constant-arrival-rate", rate: 20, duration: "${duration}"`,
  "500/s": `executor: "constant-arrival-rate", rate: 500, duration: "${duration}"`,
  "to 1,000/s": `executor: "ramping-arrival-rate", startRate: 10, stages: [{ target: 1000, duration: "${duration}" }]`,
  "20 VUs that think": `executor: "constant-vus", vus: 20, duration: "${duration}"`,
};

function testOf(load: string): string {
  return `import { defineTest } from "@bearhug/sdk";
export default defineTest({
  baseUrl: "${server.url}",
  scenarios: {
    judged: { ${load}, exec: async ({ http, sleep }) => {
      await http.get("/");
      ${load.includes("vus") ? 'await sleep("100ms");' : ""}
    } },
  },
  thresholds: { http_req_duration: ["p(95)<10s"] },
});`;
}

/** Starts a busy loop, which ends by itself in case this program is killed. */
function startLoop(): ChildProcess {
  const code = "const end = Date.now() + 7200e3; while (Date.now() < end);";
  return spawn("taskset", ["--cpu-list", "0", process.execPath, "--eval", code], { stdio: "ignore" });
}

type Verdict = TestResult["generator"]["verdict"];

interface Judged {
  readonly load: string;
  readonly verdict: Verdict;
  /** The share of its time in which it was ready to run, but had no core. */
  readonly queuedShare: number;
  readonly reasons: readonly string[];
}

async function judge(count: number, prefix: readonly string[]): Promise<Judged[]> {
  const judged: Judged[] = [];
  for (let run = 0; run < count; run++) {
    const [load = "", source = ""] = Object.entries(loads)[run % Object.keys(loads).length] ?? [];
    const { result } = await runTestBy(testOf(source), [], async (command) => {
      const [program = "", ...rest] = [...prefix, ...command];
      await once(spawn(program, rest, { stdio: ["ignore", "ignore", "inherit"] }), "exit");
    });
    const { verdict, reasons, process: used } = result.generator;
    const { cpuCores = 0, queuedThreads = 0 } = used ?? {};
    judged.push({ load, verdict, reasons, queuedShare: queuedThreads / (cpuCores + queuedThreads) });
  }
  return judged;
}

function report(title: string, judged: readonly Judged[], isWanted: (verdict: Verdict) => boolean): void {
  for (const load of Object.keys(loads)) {
    const own = judged.filter((one) => one.load === load);
    if (own.length === 0) continue;
    const counted = (["healthy", "strained", "saturated"] as const).map(
      (verdict) => own.filter((one) => one.verdict === verdict).length,
    );
    const shares = own.map(({ queuedShare }) => queuedShare).toSorted((one, two) => one - two);
    const [least = Number.NaN, most = Number.NaN] = [shares[0], shares.at(-1)];
    console.log(
      `| ${title} | ${load} | ${own.length} | ${counted.join(" | ")} | ${least.toFixed(2)} to ${most.toFixed(2)} |`,
    );
  }
  for (const { load, verdict, reasons } of judged.filter((one) => !isWanted(one.verdict)).slice(0, 5))
    console.log(`${title}, ${load}: ${verdict}: ${reasons.join("; ")}`);
}

console.log("| generator | load | runs | healthy | strained | saturated | waited for a core |");
console.log("| --- | --- | ---: | ---: | ---: | ---: | --- |");
const isHealthy = (verdict: Verdict): boolean => verdict !== "saturated";
const healthy = await judge(runs, options.realtime ? ["chrt", "--rr", "10"] : []);
report("alone", healthy, isHealthy);
const loops = Array.from({ length: 3 }, startLoop);
const isSaturated = (verdict: Verdict): boolean => verdict === "saturated";
const sharing = await judge(runs, ["taskset", "--cpu-list", "0"]).finally(() => {
  for (const loop of loops) loop.kill("SIGKILL");
});
report("with three busy loops", sharing, isSaturated);
server.stop();

const [wronglySaturated, missed] = [
  healthy.filter(({ verdict }) => !isHealthy(verdict)).length,
  sharing.filter(({ verdict }) => !isSaturated(verdict)).length,
];
console.log(
  `${wronglySaturated} of ${runs} runs alone called saturated (0 wanted); ${runs - missed} of ${runs} runs with busy loops (${runs} wanted)`,
);
process.exitCode = wronglySaturated + missed > 0 ? 1 : 0;
