import type { Visit } from "../visit.ts";
import { type Replayed, replayedOf } from "./timed-visit.ts";

/** The timing of a wave. */
interface SimulatedWave {
  readonly afterMs: number;
  readonly visits: readonly { readonly visit: Visit; readonly outlasts: boolean }[];
}

interface SimulatedStep {
  /** When each visit is sent, in the order of the waves. */
  readonly startsMs: readonly number[];
  /** From the start of the step to its last end. */
  readonly totalMs: number;
}

/** Simulates how one VU replays a step if every response takes as long as recorded. */
export function simulateStep(waves: readonly SimulatedWave[], connections: number = perHost): SimulatedStep {
  const slots = new ConnectionSlots(connections);
  const startsMs: number[] = [];
  let readyMs = 0;
  let totalMs = 0;
  for (const { afterMs, visits } of waves) {
    const waveMs = readyMs + afterMs;
    readyMs = waveMs;
    for (const { visit, outlasts } of visits) {
      const request = replayedOf(visit);
      startsMs.push(slots.startOf(request, waveMs));
      const endMs = slots.send(request, waveMs);
      if (!outlasts) readyMs = Math.max(readyMs, endMs);
      totalMs = Math.max(totalMs, endMs);
    }
  }
  return { startsMs, totalMs };
}

/** Connections that a browser opens to a host that speaks HTTP/1. */
export const perHost = 6;

/** Simulates the connections of one VU. Requests get one in the order in which they queue. */
export class ConnectionSlots {
  /** When each connection is free again, by origin. */
  readonly #freeAtMs = new Map<string, number[]>();
  readonly #perHost: number;

  constructor(connectionsPerHost: number) {
    this.#perHost = connectionsPerHost;
  }

  #mostFor({ isLimited }: Replayed): number {
    return isLimited ? Math.min(perHost, this.#perHost) : this.#perHost;
  }

  /** Returns when a request would be sent that queues at this moment. */
  startOf(request: Replayed, queuedAtMs: number): number {
    const slots = this.#freeAtMs.get(request.origin) ?? [];
    if (request.isMultiplexed || slots.length < this.#mostFor(request)) return queuedAtMs;
    return Math.max(queuedAtMs, Math.min(...slots));
  }

  /** Sends a request, and returns its end. */
  send(request: Replayed, queuedAtMs: number): number {
    const endMs = this.startOf(request, queuedAtMs) + request.busyMs;
    if (request.isMultiplexed) return endMs;
    const slots = this.#freeAtMs.get(request.origin) ?? [];
    const earliest = slots.length < this.#mostFor(request) ? slots.length : slots.indexOf(Math.min(...slots));
    slots[earliest] = endMs;
    this.#freeAtMs.set(request.origin, slots);
    return endMs;
  }
}
