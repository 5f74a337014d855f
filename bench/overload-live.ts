// Does `--overload` report correctly how a target behaves? Runs the real command against servers made to
// hold, shed, queue and collapse, each with ten seeds: at least nine of ten must be classified correctly, and
// at least nine recovery times must be within an interval of the server's own. `--nice` gives both processes
// a higher priority on a machine that others use too (root).
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
    seeds: { type: "string", default: "1,2,3,4,5,6,7,8,9,10" },
    duration: { type: "string", default: "18s" },
    "at-once": { type: "string", default: "2" },
    nice: { type: "boolean", default: false },
  },
});
const [priority, ...priorityOptions] = options.nice ? ["nice", "-n", "-15"] : ["env"];

/** Each server can serve 100 requests/s, but the first 2,500. The load is 40/s, then 120/s. */
const servers = {
  holds: { words: ["200", "80", "wait"], timeout: "10s" },
  sheds: { words: ["8", "80", "refuse"], timeout: "10s" },
  queues: { words: ["1", "10", "wait"], timeout: "10s" },
  // The server does not notice that clients gave up, and serves only requests whose clients have left.
  collapses: { words: ["1", "10", "wait"], timeout: "250ms" },
} as const;
type Kind = keyof typeof servers;
const kinds: readonly Kind[] = ["holds", "sheds", "queues", "collapses"];

const load = ["--rate", "40", "--overload", "3", "--duration", options.duration, "--arrivals", "poisson"];

interface LiveRun {
  readonly kind: Kind;
  readonly isRight: boolean;
  /** The reported recovery time minus the server's, in ms; infinite if no recovery was reported. */
  readonly missedMs: number;
  readonly isWithin: boolean;
}

async function runOnce(kind: Kind, seed: number): Promise<LiveRun> {
  const file = fileURLToPath(new URL("overloaded-server.ts", import.meta.url));
  const words = [...priorityOptions, process.execPath, file, ...servers[kind].words];
  const server = spawn(priority, words, { stdio: ["ignore", "pipe", "inherit"] });
  const folder = mkdtempSync(join(tmpdir(), "bearhug-bench-overload-"));
  try {
    const [url] = (await once(createInterface({ input: server.stdout }), "line")) as [string];
    const { overload, fellMs } = await overloadTarget(url, kind, seed, join(folder, "result.json"));
    const recoveredMs = await recoveryOf(url, fellMs);
    const { afterMs, resolutionMs } = overload.recovery ?? { afterMs: null, resolutionMs: 0 };
    const missedMs = (afterMs ?? Number.POSITIVE_INFINITY) - recoveredMs;
    const reported = afterMs === null ? "none" : `${afterMs} ms`;
    const cells = [
      kind,
      String(seed),
      overload.kind,
      `${recoveredMs.toFixed(0)} ms`,
      reported,
      overload.because,
    ];
    console.log(`| ${cells.join(" | ")} |`);
    return { kind, isRight: overload.kind === kind, missedMs, isWithin: Math.abs(missedMs) <= resolutionMs };
  } finally {
    server.kill();
    rmSync(folder, { recursive: true });
  }
}

async function overloadTarget(url: string, kind: Kind, seed: number, report: string): Promise<Ended> {
  const words = [
    process.execPath,
    launcher,
    url,
    ...load,
    "--timeout",
    servers[kind].timeout,
    "--seed",
    String(seed),
    "--quiet",
    "--out",
    `json=${report}`,
  ];
  const child = spawn(priority, [...priorityOptions, ...words], { stdio: ["ignore", "ignore", "inherit"] });
  await once(child, "exit");
  const { result, problems } = parseResult(JSON.parse(readFileSync(report, "utf8")));
  const last = result?.overload?.phases.at(-1);
  if (result?.overload === undefined || last === undefined) throw new Error(JSON.stringify(problems));
  return { overload: result.overload, fellMs: Date.parse(result.startedAt) + last.fromMs };
}

interface Ended {
  readonly overload: NonNullable<NonNullable<ReturnType<typeof parseResult>["result"]>["overload"]>;
  /** The time when the load fell, in ms since 1970. */
  readonly fellMs: number;
}

/** Returns how long after the load fell the server had a free place again, by its own clock. */
async function recoveryOf(url: string, fellMs: number): Promise<number> {
  const spans = (await (await fetch(`${url}/overtaxed`)).json()) as { fromMs: number; toMs: number | null }[];
  const span = spans.find(({ fromMs, toMs }) => fromMs <= fellMs && (toMs ?? fellMs) >= fellMs);
  return span === undefined ? 0 : (span.toMs ?? Number.POSITIVE_INFINITY) - fellMs;
}

const seeds = options.seeds.split(",").map(Number);
const waiting = seeds.flatMap((seed) => kinds.map((kind) => ({ kind, seed })));
const runs: LiveRun[] = [];
console.log("| server | seed | reported | recovery | recovery reported | because |");
console.log("| ------ | ---- | -------- | -------- | ----------------- | ------- |");
const lanes = Array.from({ length: Number(options["at-once"]) }, async () => {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    runs.push(await runOnce(next.kind, next.seed));
  }
});
await Promise.all(lanes);

const least = Math.ceil(seeds.length * 0.9);
console.log(
  "\n| server | classified correctly | recovery within an interval | largest difference | no recovery reported |",
);
console.log(
  "| ------ | -------------------- | --------------------------- | ------------------ | -------------------- |",
);
for (const kind of kinds) {
  const runsOfKind = runs.filter((run) => run.kind === kind);
  const right = runsOfKind.filter(({ isRight }) => isRight).length;
  const within = runsOfKind.filter(({ isWithin }) => isWithin).length;
  const worst = Math.max(...runsOfKind.map(({ missedMs }) => Math.abs(missedMs)).filter(Number.isFinite));
  const unreported = runsOfKind.filter(({ missedMs }) => !Number.isFinite(missedMs)).length;
  console.log(
    `| ${kind} | ${right} of ${runsOfKind.length} | ${within} of ${runsOfKind.length} | ${(worst / 1000).toFixed(2)} s | ${unreported} |`,
  );
  if (right < least || within < least) process.exitCode = 1;
}
