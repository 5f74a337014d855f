import { setTimeout as wait } from "node:timers/promises";

import { sampleTree } from "../process-sample.ts";
import { startPinned, type PinnedProcess } from "./pinned-process.ts";
import { median } from "../statistics.ts";
import type { Figures, FirstSecondFigures } from "./results.ts";
import type { TargetServer } from "./servers.ts";

/** One run of a tool. */
export interface Run {
  readonly command: readonly string[];
  readonly core: number;
  readonly server: TargetServer;
  /** The time from the first request to the start of the measurement. */
  readonly warmupS: number;
  /** The length of the measurement. */
  readonly windowS: number;
}

const requestsWithinMs = 90_000;
const endsWithinMs = 60_000;
const memoryEveryMs = 250;
const settlesWithinMs = 5000;

/**
 * Returns how long the tool should make requests: in whole seconds, because some tools accept nothing else,
 * and for longer than the measurement, because some include the time to open connections.
 */
export function secondsOfLoad(warmupS: number, windowS: number, connections: number): number {
  return Math.ceil(warmupS + windowS + 0.3 + connections / 5000);
}

/**
 * Runs a tool and measures it from outside, so that all tools are measured alike: requests as the server
 * counts them, CPU and memory of the tool's processes as the system counts them, between two moments in the
 * middle of the load.
 */
export async function measure(run: Run): Promise<Figures> {
  await untilIdle(run.server);
  const before = await run.server.counts();
  const client = startPinned(run.command, run.core);
  let peakRssMb = 0;
  const memory = setInterval(() => {
    peakRssMb = Math.max(peakRssMb, sampleTree(client.pid).peakRssMb);
  }, memoryEveryMs);
  try {
    await untilRequests(client, run.server, before.requests + 1);
    await wait(run.warmupS * 1000);
    const first = await takeSnapshot(client, run.server);
    await wait(run.windowS * 1000);
    const last = await takeSnapshot(client, run.server);
    if (client.hasEnded()) throw new Error(`it ended too early: ${(await client.ended).printed}`);
    const { exitCode, printed } = await within(endsWithinMs, client.ended, "it did not end");
    if (exitCode !== 0) throw new Error(`exit code ${exitCode ?? "none"}: ${printed}`);
    const wrong = await run.server.findWrongResponse();
    if (wrong !== null) throw new Error(`it got a wrong response: ${wrong}`);
    return { ...figuresBetween(first, last), peakRssMb };
  } finally {
    clearInterval(memory);
    client.kill();
  }
}

/** The seconds that a tool must make requests for `measureFirstSeconds`. */
export const secondsUntilSteady = 7;

/** Measures the first seconds of a tool's load, which begins with its first connection. */
export async function measureFirstSeconds({
  command,
  core,
  server,
}: Pick<Run, "command" | "core" | "server">): Promise<FirstSecondFigures> {
  await untilIdle(server);
  const before = (await server.counts()).requests;
  const client = startPinned(command, core);
  try {
    await until(client, "it opened no connection", 2, async () => {
      const { requests, openConnections } = await server.counts();
      return requests > before || (openConnections ?? 0) > 0;
    });
    const beganAtMs = performance.now();
    const rates: number[] = [];
    let last = { atMs: beganAtMs, requests: before };
    for (let second = 1; second < secondsUntilSteady; second++) {
      await wait(beganAtMs + second * 1000 - performance.now());
      const { requests } = await server.counts();
      const atMs = performance.now();
      rates.push(((requests - last.requests) / (atMs - last.atMs)) * 1000);
      last = { atMs, requests };
    }
    if (client.hasEnded()) throw new Error(`it ended too early: ${(await client.ended).printed}`);
    const wrong = await server.findWrongResponse();
    if (wrong !== null) throw new Error(`it got a wrong response: ${wrong}`);
    const [first = 0, second = 0, ...steady] = rates;
    const steadyPerSecond = median(steady);
    return {
      steadyPerSecond,
      firstShare: first / steadyPerSecond,
      secondShare: second / steadyPerSecond,
    };
  } finally {
    client.kill();
    await client.ended;
  }
}

/** A number of requests of a tool that would send more; it is killed afterwards. */
export interface CountedRun {
  readonly command: readonly string[];
  readonly server: TargetServer;
  /** The number of requests until JIT compilers have warmed up. */
  readonly warmupRequests: number;
  readonly requests: number;
}

/**
 * Measures the user and system time of a tool per request, in µs. The warm-up is a number of requests, so
 * that it is as thorough on a busy machine, where a time would not be.
 */
export async function measureCpu({ command, server, warmupRequests, requests }: CountedRun): Promise<number> {
  await untilIdle(server);
  const before = (await server.counts()).requests;
  const client = startPinned(command, null);
  try {
    await untilRequests(client, server, before + warmupRequests);
    const first = await takeSnapshot(client, server);
    await untilRequests(client, server, first.requests + requests);
    const { cpuUs } = figuresBetween(first, await takeSnapshot(client, server));
    const wrong = await server.findWrongResponse();
    if (wrong !== null) throw new Error(`it got a wrong response: ${wrong}`);
    return cpuUs;
  } finally {
    client.kill();
    await client.ended;
  }
}

interface Snapshot {
  readonly atMs: number;
  readonly requests: number;
  readonly clientMs: number;
  readonly serverMs: number;
}

/** A busy server takes a while to read the request for its counts, and then answers at once. */
async function takeSnapshot(client: PinnedProcess, server: TargetServer): Promise<Snapshot> {
  const { requests } = await server.counts();
  const atMs = performance.now();
  return { atMs, requests, clientMs: sampleTree(client.pid).usedMs, serverMs: sampleTree(server.pid).usedMs };
}

function figuresBetween(first: Snapshot, last: Snapshot): Omit<Figures, "peakRssMb"> {
  const [tookMs, requests] = [last.atMs - first.atMs, last.requests - first.requests];
  if (requests <= 0) throw new Error("it made no requests");
  const serverMs = last.serverMs - first.serverMs;
  return {
    requestsPerSecond: (requests / tookMs) * 1000,
    cpuUs: ((last.clientMs - first.clientMs) / requests) * 1000,
    serverCpuUs: (serverMs / requests) * 1000,
    serverBusy: serverMs / tookMs,
  };
}

/** Returns when the server has counted this many requests since it started. */
async function untilRequests(client: PinnedProcess, server: TargetServer, count: number): Promise<void> {
  await until(client, "it made too few requests", 20, async () => (await server.counts()).requests >= count);
}

/** Returns when a condition is met, which is checked again after a pause. Throws if the tool ends before. */
async function until(
  client: PinnedProcess,
  problem: string,
  pauseMs: number,
  isMet: () => Promise<boolean>,
): Promise<void> {
  const latestMs = performance.now() + requestsWithinMs;
  while (!(await isMet())) {
    if (client.hasEnded()) throw new Error(`it ended too early: ${(await client.ended).printed}`);
    if (performance.now() > latestMs) throw new Error(problem);
    await wait(pauseMs);
  }
}

/** Waits until the connections of the run before are closed, so that they cost this one nothing. */
async function untilIdle(server: TargetServer): Promise<void> {
  const latestMs = performance.now() + settlesWithinMs;
  while (((await server.counts()).openConnections ?? 0) > 0 && performance.now() < latestMs) await wait(50);
}

async function within<T>(ms: number, promise: Promise<T>, message: string): Promise<T> {
  const stop = new AbortController();
  try {
    return await Promise.race([
      promise,
      wait(ms, undefined, { signal: stop.signal }).then(() => Promise.reject(new Error(message))),
    ]);
  } finally {
    stop.abort();
  }
}
