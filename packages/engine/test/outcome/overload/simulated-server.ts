import type { OverloadLoad } from "@bearhug/plan/protocol/overload-load";

import type { LoadSecond } from "../../../src/outcome/overload/load-second.ts";

/** The behavior of a simulated server: when it responds to a request that arrives, and how. */
export type Server = (
  atMs: number,
  random: () => number,
) => { readonly endMs: number; readonly isGood: boolean };

/** Handles one request at a time, in order of arrival, with exponential service times of this mean. */
export function queueingServer(serviceMs: number): Server {
  let freeMs = 0;
  return (atMs, random) => {
    freeMs = Math.max(freeMs, atMs) - serviceMs * Math.log(1 - random());
    return { endMs: freeMs, isGood: true };
  };
}

/** Queues like `queueingServer`, but refuses at once a request that would wait longer than `mostWaitMs`. */
export function sheddingServer(serviceMs: number, mostWaitMs: number): Server {
  let freeMs = 0;
  return (atMs, random) => {
    if (freeMs - atMs > mostWaitMs) return { endMs: atMs + 0.5, isGood: false };
    freeMs = Math.max(freeMs, atMs) - serviceMs * Math.log(1 - random());
    return { endMs: freeMs, isGood: true };
  };
}

/**
 * Queues like `queueingServer`, but clients give up after `patienceMs`, and the server still does their work.
 */
export function collapsingServer(serviceMs: number, patienceMs: number): Server {
  const serve = queueingServer(serviceMs);
  return (atMs, random) => {
    const { endMs } = serve(atMs, random);
    return endMs - atMs > patienceMs ? { endMs: atMs + patienceMs, isGood: false } : { endMs, isGood: true };
  };
}

/** Handles any number of requests at once, with exponential service times of this mean. */
export function amplerServer(serviceMs: number): Server {
  return (atMs, random) => ({ endMs: atMs - serviceMs * Math.log(1 - random()), isGood: true });
}

/** Returns a generator that gives the same numbers for the same seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A server that answers within this time has no backlog. */
const normalMs = 60;

export interface Simulated {
  /** The counts of each second of the run. */
  readonly seconds: readonly LoadSecond[];
  /** From the fall of the load until a request arrived that was served as fast as before. */
  readonly recoveredMs: number;
}

/** Sends Poisson arrivals at the rates of the three phases. */
export function simulate({ rate, factor, phaseMs }: OverloadLoad, server: Server, seed: number): Simulated {
  const random = randomOf(seed);
  const lastMs = phaseMs * 3;
  const seconds = Array.from({ length: lastMs / 1000 }, () => ({
    good: 0,
    failed: 0,
    times: [] as number[],
  }));
  let recoveredAtMs: number | null = null;
  for (let atMs = 0; ;) {
    const isPast = atMs >= phaseMs && atMs < 2 * phaseMs;
    atMs -= (1000 / (isPast ? rate * factor : rate)) * Math.log(1 - random());
    if (atMs >= lastMs) break;
    const { endMs, isGood } = server(atMs, random);
    if (atMs >= 2 * phaseMs && isGood && endMs - atMs <= normalMs) recoveredAtMs ??= atMs;
    const second = seconds[Math.floor(endMs / 1000)];
    if (second === undefined) continue;
    if (isGood) second.good++;
    else second.failed++;
    second.times.push(endMs - atMs);
  }
  const counted = seconds.map(({ good, failed, times }, index) => ({
    fromMs: index * 1000,
    toMs: (index + 1) * 1000,
    goodput: good,
    failed,
    dropped: 0,
    connectionsOpened: 0,
    iterations: good + failed,
    p95: times.sort((left, right) => left - right)[Math.floor(times.length * 0.95)] ?? null,
  }));
  return { seconds: counted, recoveredMs: (recoveredAtMs ?? lastMs) - 2 * phaseMs };
}
