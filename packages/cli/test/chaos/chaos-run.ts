// node chaos-run.ts PLAN.json FOLDER
//
// One chaotic run in its own process, so that it can have its own network: starts the server, runs the
// command line against it, causes the events of the plan, and writes its observations to FOLDER/seen.json.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import type { Certificate } from "../../../http/test/make-certificate.ts";
import { chaosTestSource, type ChaosEvent, type ChaosPlan } from "./chaos-plan.ts";
import { ChaoticServer } from "./chaotic-server.ts";

export interface ChaosInput {
  /** The program to start. */
  readonly command: string;
  readonly plan: ChaosPlan;
  readonly certificate: Certificate;
}

/** The observations of the run from outside. */
export interface ChaosSeen {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly received: number;
  readonly answered: number;
}

const [inputPath = "", folder = ""] = process.argv.slice(2);
const { command, plan, certificate } = JSON.parse(readFileSync(inputPath, "utf8")) as ChaosInput;

const server = new ChaoticServer(plan, certificate);
const port = await server.listen(0);
const testFile = join(folder, "chaos.ts");
writeFileSync(
  testFile,
  chaosTestSource(plan, `${plan.protocol === "http" ? "http" : "https"}://127.0.0.1:${port}`),
);
const run = spawn(
  process.execPath,
  [
    command,
    "run",
    testFile,
    "--workers",
    String(plan.workers),
    "--out",
    `json=${join(folder, "result.json")}`,
  ],
  { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, XDG_CACHE_HOME: folder, NO_COLOR: "1" } },
);
let [stdout, stderr] = ["", ""];
run.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
run.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
const ended = once(run, "close") as Promise<[number | null, string | null]>;
// A run that never ends is a finding, too: it is killed, and its exit code is null.
const overdue = setTimeout(() => run.kill("SIGKILL"), 45_000);

/** Settles when the server is up again: a restart waits for the previous one. */
let restarted = Promise.resolve();
// The plan's time begins with the first request: start-up takes longer on a busy machine.
while (server.received === 0 && run.exitCode === null) await sleep(5);
for (const event of plan.events) setTimeout(() => void happen(event), event.atMs);
const [exitCode, signal] = await ended;
clearTimeout(overdue);
const { received, answered } = server;
const seen: ChaosSeen = { exitCode, signal, stdout, stderr, received, answered };
writeFileSync(join(folder, "seen.json"), JSON.stringify(seen));
process.exit(0);

async function happen(event: ChaosEvent): Promise<void> {
  if (event.kind === "hang") server.isHanging = true;
  else if (event.kind === "signal") {
    // While Node shuts down, signals have their default effect: a run that has printed its verdict gets none.
    if (!stdout.includes(", exit code ")) run.kill(event.signal);
  } else if (event.kind === "restart") await (restarted = restarted.then(() => restart(event.downMs)));
  else {
    dropPackets("--append");
    if (event.forMs === null) return;
    await sleep(event.forMs);
    dropPackets("--delete");
  }
}

async function restart(downMs: number): Promise<void> {
  await server.down();
  await sleep(downMs);
  await server.listen(port);
}

/** Starts or stops dropping packets both ways, so that neither side notices that the other is gone. */
function dropPackets(action: "--append" | "--delete"): void {
  for (const side of ["--dport", "--sport"])
    execFileSync("iptables", [action, "INPUT", "--protocol", "tcp", side, String(port), "--jump", "DROP"]);
}
