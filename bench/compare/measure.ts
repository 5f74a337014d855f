import { setTimeout as wait } from "node:timers/promises";

import { sampleTree } from "../process-sample.ts";
import { startPinned, type PinnedProcess } from "./pinned-process.ts";
import type { Figures } from "./results.ts";
import type { TargetServer } from "./servers.ts";

/** One run of a tool. */
export interface Run {
  readonly command: readonly string[];
  readonly core: number;
  readonly server: TargetServer;
  /** From the first request to the beginning of what is measured. */
  readonly warmupS: number;
  /** What is measured. */
  readonly windowS: number;
}

const requestsWithinMs = 90_000;
const endsWithinMs = 60_000;
const memoryEveryMs = 250;
const settlesWithinMs = 5000;

/**
 * How long the tool is to make requests: whole seconds, because some take no others, and more than is measured, because some
 * count the time in which they open connections.
 */
export function secondsOfLoad(warmupS: number, windowS: number, connections: number): number {
  return Math.ceil(warmupS + windowS + 0.3 + connections / 5000);
}

/**
 * Runs a tool and looks at it from outside, so that all are measured alike: requests as the server counts them, CPU and memory
 * of the tool's processes as the system counts them, between two moments in the middle of the load.
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
    const first = await look(client, run.server);
    await wait(run.windowS * 1000);
    const last = await look(client, run.server);
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

/** A number of requests of a tool that would make more; it is killed afterwards. */
export interface CountedRun {
  readonly command: readonly string[];
  readonly server: TargetServer;
  /** Until compilers have done their work. */
  readonly warmupRequests: number;
  readonly requests: number;
}

/**
 * User and system time of a tool for one request, in µs. A number of requests warms it up equally on a busy machine, where time
 * would not.
 */
export async function measureCpu({ command, server, warmupRequests, requests }: CountedRun): Promise<number> {
  await untilIdle(server);
  const before = (await server.counts()).requests;
  const client = startPinned(command, null);
  try {
    await untilRequests(client, server, before + warmupRequests);
    const first = await look(client, server);
    await untilRequests(client, server, first.requests + requests);
    const { cpuUs } = figuresBetween(first, await look(client, server));
    const wrong = await server.findWrongResponse();
    if (wrong !== null) throw new Error(`it got a wrong response: ${wrong}`);
    return cpuUs;
  } finally {
    client.kill();
    await client.ended;
  }
}

interface Look {
  readonly atMs: number;
  readonly requests: number;
  readonly clientMs: number;
  readonly serverMs: number;
}

async function look(client: PinnedProcess, server: TargetServer): Promise<Look> {
  const askedAtMs = performance.now();
  const { requests } = await server.counts();
  const [clientMs, serverMs] = [sampleTree(client.pid).usedMs, sampleTree(server.pid).usedMs];
  return { atMs: (askedAtMs + performance.now()) / 2, requests, clientMs, serverMs };
}

function figuresBetween(first: Look, last: Look): Omit<Figures, "peakRssMb"> {
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

/** Returns when the server has counted so many requests since it started. */
async function untilRequests(client: PinnedProcess, server: TargetServer, count: number): Promise<void> {
  const latestMs = performance.now() + requestsWithinMs;
  while ((await server.counts()).requests < count) {
    if (client.hasEnded()) throw new Error(`it ended too early: ${(await client.ended).printed}`);
    if (performance.now() > latestMs) throw new Error("it made too few requests");
    await wait(20);
  }
}

/** So that the connections of the run before cost this one nothing. */
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
