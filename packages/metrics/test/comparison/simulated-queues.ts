import { randomSource } from "../../../plan/src/pacing/random-source.ts";
import type { NamedRun } from "../../src/comparison/comparable.ts";
import { resultOfSeconds, type SimulatedSecond } from "./result-of-seconds.ts";

/** A run of an open model against an M/M/c queue, in simulated time. The queue is empty at first. */
export interface SimulatedQueue {
  readonly seed: number;
  readonly seconds: number;
  /** The requests that all servers together finish in a second when none is idle. */
  readonly capacityPerSecond: number;
  readonly servers: number;
  /** Arrivals as a share of the capacity. */
  readonly load: number;
}

/** Simulates a side of one run: times from arrival to response, by the second of the response. */
export function simulateQueue(name: string, queue: SimulatedQueue): NamedRun[] {
  const { seed, seconds, capacityPerSecond, servers, load } = queue;
  const random = randomSource(seed, 11);
  const exponential = (perSecond: number): number => -Math.log(1 - random()) / perSecond;
  const freeAt = new Array<number>(servers).fill(0);
  const ended = Array.from({ length: seconds }, (): number[] => []);
  for (let arrival = exponential(load * capacityPerSecond); arrival < seconds;) {
    const server = freeAt.indexOf(Math.min(...freeAt));
    const end = Math.max(arrival, freeAt[server] ?? 0) + exponential(capacityPerSecond / servers);
    freeAt[server] = end;
    ended[Math.floor(end)]?.push((end - arrival) * 1000);
    arrival += exponential(load * capacityPerSecond);
  }
  const result = resultOfSeconds(ended.map((durationsMs): SimulatedSecond => ({ durationsMs, failed: 0 })));
  return [{ name: `${name}-1.json`, result }];
}
