import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

import { parseResult, type TestResult } from "bearhug";

const launcher = fileURLToPath(new URL("../packages/cli/bin/bearhug.js", import.meta.url));
const server = fileURLToPath(new URL("counting-server.ts", import.meta.url));

/** What the counting server saw since it was last asked. */
export interface ServerCounts {
  readonly requests: number;
  readonly connections: number;
  readonly openConnections: number;
  /** When each request came, in ms after the first. */
  readonly arrivals: readonly number[];
}

export interface BenchServer {
  readonly url: string;
  counts(): Promise<ServerCounts>;
  stop(): void;
}

/** Starts the counting server in a process of its own. */
export async function startServer(): Promise<BenchServer> {
  const child = spawn(process.execPath, [server], { stdio: ["ignore", "pipe", "inherit"] });
  const [url] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  return {
    url,
    counts: async () => (await (await fetch(`${url}/counts`)).json()) as ServerCounts,
    stop: () => void child.kill(),
  };
}

export interface MeasuredRun {
  readonly result: TestResult;
  /** The most resident memory of the process, sampled four times a second. */
  readonly peakRssMb: number;
}

/** Runs a test with the built command line, and watches its memory. */
export async function runTest(source: string, ...options: string[]): Promise<MeasuredRun> {
  const folder = mkdtempSync(join(tmpdir(), "bearhug-bench-"));
  const [test, report] = [join(folder, "bench-test.ts"), join(folder, "result.json")];
  writeFileSync(test, source);
  try {
    const child = spawn(
      process.execPath,
      [launcher, "run", test, "--quiet", "--out", `json=${report}`, ...options],
      {
        stdio: ["ignore", "ignore", "inherit"],
      },
    );
    const peakRssMb = await watchMemory(child);
    const { result, problems } = parseResult(JSON.parse(readFileSync(report, "utf8")));
    if (result === undefined) throw new Error(JSON.stringify(problems));
    return { result, peakRssMb };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function watchMemory(child: ChildProcess): Promise<number> {
  let peakKb = 0;
  const timer = setInterval(() => {
    const { stdout } = spawnSync("ps", ["-o", "rss=", "-p", String(child.pid)], { encoding: "utf8" });
    peakKb = Math.max(peakKb, Number(stdout) || 0);
  }, 250);
  await once(child, "exit");
  clearInterval(timer);
  return peakKb / 1024;
}
