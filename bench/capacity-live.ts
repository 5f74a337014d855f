// Is the capacity found? `bearhug capacity` against an M/M/1 queue, whose capacity is known: with service
// rate μ, p99 stays below X up to μ − ln(100)/X requests per second. The server measures its own μ. Ten
// seeds: at least nine answers within 5 %, at least nine intervals that contain the capacity, and no run over
// its budget. `--realtime` gives both processes realtime priority on a machine that others use too (root);
// `--at-once 2` makes two runs at a time.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { parseResult } from "bearhug";

import { launcher } from "./bench-process.ts";

const { values: options } = parseArgs({
  options: {
    rate: { type: "string", default: "1000" },
    "limit-ms": { type: "string", default: "50" },
    "budget-s": { type: "string", default: "120" },
    seeds: { type: "string", default: "1,2,3,4,5,6,7,8,9,10" },
    "at-once": { type: "string", default: "1" },
    realtime: { type: "boolean", default: false },
  },
});
const limitMs = Number(options["limit-ms"]);
const budgetMs = Number(options["budget-s"]) * 1000;
/** The time that a search may wait, after its budget, for the responses of its last trial. */
const stopMs = 5000;
const [priority, ...priorityOptions] = options.realtime ? ["chrt", "--rr", "10"] : ["env"];

interface LiveRun {
  readonly row: string;
  readonly isNear: boolean;
  readonly isCovered: boolean;
  readonly isInTime: boolean;
}

async function runSeed(seed: number): Promise<LiveRun> {
  const file = fileURLToPath(new URL("queueing-server.ts", import.meta.url));
  const words = [process.execPath, file, options.rate, String(seed)];
  const server = spawn(priority, [...priorityOptions, ...words], { stdio: ["ignore", "pipe", "inherit"] });
  const folder = mkdtempSync(join(tmpdir(), "bearhug-bench-capacity-"));
  try {
    const [url] = (await once(createInterface({ input: server.stdout }), "line")) as [string];
    const startedAt = performance.now();
    const capacity = await searchCapacity(url, seed, join(folder, "result.json"));
    const tookMs = performance.now() - startedAt;
    const { meanMs } = (await (await fetch(`${url}/served`)).json()) as { meanMs: number };
    return describeRun(seed, { capacity, tookMs, perSecond: 1000 / meanMs });
  } finally {
    server.kill();
    rmSync(folder, { recursive: true });
  }
}

async function searchCapacity(url: string, seed: number, report: string): Promise<Capacity> {
  const words = [
    process.execPath,
    launcher,
    "capacity",
    url,
    "--seed",
    String(seed),
    "--slo",
    `http_req_response_time: p(99)<${limitMs}ms`,
    "--budget",
    `${options["budget-s"]}s`,
    "--quiet",
    "--out",
    `json=${report}`,
  ];
  const child = spawn(priority, [...priorityOptions, ...words], { stdio: ["ignore", "ignore", "inherit"] });
  await once(child, "exit");
  const { result, problems } = parseResult(JSON.parse(readFileSync(report, "utf8")));
  if (result?.capacity === undefined) throw new Error(JSON.stringify(problems));
  return result.capacity;
}

type Capacity = NonNullable<NonNullable<ReturnType<typeof parseResult>["result"]>["capacity"]>;

interface Ended {
  readonly capacity: Capacity;
  readonly tookMs: number;
  readonly perSecond: number;
}

function describeRun(seed: number, { capacity, tookMs, perSecond }: Ended): LiveRun {
  const truth = perSecond - Math.log(100) / (limitMs / 1000);
  const { answer, load, low, high, confirmed, spentMs, trials } = capacity;
  const error = (load ?? Number.NaN) / truth - 1;
  const unwell = trials.filter(({ figures }) => figures.generator.verdict !== "healthy").length;
  const isCovered = (low ?? 0) <= truth && truth <= (high ?? Number.POSITIVE_INFINITY);
  const cells = [
    String(seed),
    `${perSecond.toFixed(1)}/s`,
    `${truth.toFixed(1)}/s`,
    load === null ? answer : `${load.toFixed(1)}/s`,
    `${low?.toFixed(1) ?? "?"} to ${high?.toFixed(1) ?? "?"}`,
    `${error < 0 ? "−" : "+"}${Math.abs(error * 100).toFixed(1)} %`,
    `${(spentMs / 1000).toFixed(0)} s (${(tookMs / 1000).toFixed(0)} s)`,
    `${answer}, ${confirmed ?? "not confirmed"}`,
    unwell === 0 ? "healthy" : `not healthy in ${unwell} of ${trials.length} trials`,
  ];
  return {
    row: `| ${cells.join(" | ")} |`,
    isNear: Math.abs(error) <= 0.05,
    isCovered,
    isInTime: spentMs <= budgetMs + stopMs,
  };
}

const waiting = options.seeds.split(",").map(Number);
const runs: LiveRun[] = [];
console.log("| seed | μ | capacity | answer | interval | error | spent (elapsed) | verdict | generator |");
console.log("| ---- | - | -------- | ------ | -------- | ----- | --------------- | ------- | --------- |");
const lanes = Array.from({ length: Number(options["at-once"]) }, async () => {
  for (let seed = waiting.shift(); seed !== undefined; seed = waiting.shift()) {
    const run = await runSeed(seed);
    console.log(run.row);
    runs.push(run);
  }
});
await Promise.all(lanes);
const count = (of: keyof Omit<LiveRun, "row">): number => runs.filter((run) => run[of]).length;
console.log(
  `of ${runs.length}: ${count("isNear")} within 5 %, ${count("isCovered")} intervals hold the capacity, ${count("isInTime")} within the budget`,
);
const least = Math.ceil(runs.length * 0.9);
const isFound = count("isNear") >= least && count("isCovered") >= least && count("isInTime") === runs.length;
process.exitCode = isFound ? 0 : 1;
