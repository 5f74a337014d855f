import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";

import { parseResult, type TestResult } from "bearhug";

import { sampleProcess, type ProcessSample } from "./process-sample.ts";

/** The built command line. */
export const launcher = fileURLToPath(new URL("../packages/cli/bin/bearhug.js", import.meta.url));
const server = fileURLToPath(new URL("counting-server.ts", import.meta.url));

/** The counts of the counting server. */
export interface ServerCounts {
  readonly requests: number;
  readonly connections: number;
  readonly openConnections: number;
  /** The arrival of each request, in ms after the first. */
  readonly arrivals: readonly number[];
  /** The time of each response, by the server's clock. */
  readonly tookMs: readonly number[];
}

export interface BenchServer {
  readonly url: string;
  counts(): Promise<ServerCounts>;
  /** Stops the whole process for `forMs`, `afterMs` after its first request. */
  freeze(afterMs: number, forMs: number): Promise<void>;
  stop(): void;
}

/** Starts the counting server in a separate process. */
export async function startServer(): Promise<BenchServer> {
  const child = spawn(process.execPath, [server], { stdio: ["ignore", "pipe", "inherit"] });
  const [url] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  return {
    url,
    counts: async () => (await (await fetch(`${url}/counts`)).json()) as ServerCounts,
    freeze: async (afterMs, forMs) => {
      await once(createInterface({ input: child.stdout }), "line");
      await wait(afterMs);
      child.kill("SIGSTOP");
      await wait(forMs);
      child.kill("SIGCONT");
    },
    stop: () => void child.kill(),
  };
}

export interface MeasuredRun {
  readonly result: TestResult;
  /** The peak resident memory of the process, sampled four times a second. */
  readonly peakRssMb: number;
  /** CPU of the whole process in cores, from its third second (its start is no load) to its end. */
  readonly cpuShare: number;
}

/** Runs a test with the built command line, and watches its memory. */
export async function runTest(source: string, ...options: readonly string[]): Promise<MeasuredRun> {
  return runTestWith([], source, ...options);
}

/** Runs a test like `runTest`, with options for Node itself. */
export async function runTestWith(
  nodeOptions: readonly string[],
  source: string,
  ...options: readonly string[]
): Promise<MeasuredRun> {
  const { result, used } = await runTestBy(source, options, (command) => {
    const [node = "", ...rest] = command;
    return watchProcess(spawn(node, [...nodeOptions, ...rest], { stdio: ["ignore", "ignore", "inherit"] }));
  });
  return { result, ...used };
}

/** Runs a test with a command line that the caller starts; `run` returns when it has ended. */
export async function runTestBy<Used>(
  source: string,
  options: readonly string[],
  run: (command: readonly string[]) => Promise<Used>,
): Promise<{ readonly result: TestResult; readonly used: Used }> {
  const folder = mkdtempSync(join(tmpdir(), "bearhug-bench-"));
  const [test, report] = [join(folder, "bench-test.ts"), join(folder, "result.json")];
  writeFileSync(test, source);
  try {
    const command = [process.execPath, launcher, "run", test, "--quiet", "--out", `json=${report}`];
    const used = await run([...command, ...options]);
    const { result, problems } = parseResult(JSON.parse(readFileSync(report, "utf8")));
    if (result === undefined) throw new Error(JSON.stringify(problems));
    return { result, used };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The resources that a process used from its start to its end. */
export interface Usage {
  readonly cpuS: number;
  readonly peakMb: number;
}

const probe = new URL("usage-probe.mjs", import.meta.url).href;

/**
 * Runs the built command line to its end.
 * @throws if it fails
 */
export function runBearhug(...options: readonly string[]): Promise<Usage> {
  return usageOf([process.execPath, launcher, ...options]);
}

/**
 * Returns the CPU and peak memory of a Node program, as it reports them at its end.
 * @throws if it fails
 */
export async function usageOf([node = "", ...rest]: readonly string[]): Promise<Usage> {
  const folder = mkdtempSync(join(tmpdir(), "bearhug-usage-"));
  const file = join(folder, "usage.json");
  try {
    const child = spawn(node, ["--import", probe, ...rest], {
      stdio: ["ignore", "ignore", "inherit"],
      env: { ...process.env, BENCH_USAGE_FILE: file },
    });
    const [exitCode] = (await once(child, "exit")) as [number | null];
    if (exitCode !== 0) throw new Error(`${rest.join(" ")}: exit code ${exitCode}`);
    const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(
      readFileSync(file, "utf8"),
    ) as NodeJS.ResourceUsage;
    return { cpuS: (userCPUTime + systemCPUTime) / 1e6, peakMb: (maxRSS * 1024) / 1e6 };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const startUpMs = 3000;

/**
 * Samples a process in /proc: starting another program four times a second would itself affect the
 * measurement.
 */
async function watchProcess(child: ChildProcess): Promise<Omit<MeasuredRun, "result">> {
  const startedAt = performance.now();
  const samples: ProcessSample[] = [];
  const timer = setInterval(() => {
    const sample = sampleProcess(child.pid ?? 0);
    if (sample !== null) samples.push(sample);
  }, 250);
  await once(child, "exit");
  clearInterval(timer);
  const loaded = samples.filter(({ atMs }) => atMs - startedAt >= startUpMs);
  return { peakRssMb: Math.max(0, ...samples.map(({ rssMb }) => rssMb)), cpuShare: shareOf(loaded) };
}

function shareOf(samples: readonly ProcessSample[]): number {
  const [first, last] = [samples[0], samples.at(-1)];
  if (first === undefined || last === undefined || first === last) return Number.NaN;
  return (last.usedMs - first.usedMs) / (last.atMs - first.atMs);
}
