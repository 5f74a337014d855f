import { Lists } from "../lists.ts";
import type { Visit, VisitStep } from "../visit.ts";
import { isTimed, replayedOf, spanOf, type Replayed } from "./timed-visit.ts";

/**
 * Returns the connections to one host that a replay needs to be as fast as the recording if the target speaks
 * HTTP/1.1: six, like a browser; more if the recorded host spoke a later or unknown version and had more
 * requests in flight at once.
 */
export function connectionsNeeded(steps: readonly VisitStep[]): number {
  const visits = steps.flatMap(({ waves }) => waves.flatMap((wave) => wave.visits));
  const recorded = connectionsRecorded(visits.map(({ visit }) => visit));
  return steps.reduce((most, step) => Math.max(most, mostInUse(step, recorded)), recorded);
}

function mostInUse({ waves }: VisitStep, connections: number): number {
  const { startsMs } = simulateStep(waves, connections);
  const byOrigin = new Lists<string, Interval>();
  for (const [index, { visit }] of waves.flatMap(({ visits }) => visits).entries()) {
    const { origin, isLimited, busyMs } = replayedOf(visit);
    if (isLimited) continue;
    const startMs = startsMs[index] ?? 0;
    byOrigin.add(origin, [startMs, startMs + busyMs]);
  }
  return mostOf(byOrigin);
}

/** Tolerance: the times of recorders overlap a little. */
const overlapMs = 20;
/** No page has more requests in flight: such dates are rounded, or all the same. */
const mostConnections = 100;

/**
 * Returns the connections to one host that let requests overlap as recorded if the recorder does not state
 * the version of HTTP: six, like a browser, or more.
 */
export function connectionsRecorded(visits: readonly Visit[]): number {
  const byOrigin = new Lists<string, Interval>();
  for (const visit of visits) {
    const { origin, isMultiplexed, isLimited, busyMs } = replayedOf(visit);
    const span = spanOf(visit);
    if (isMultiplexed || isLimited || span === null || busyMs <= overlapMs || !isTimed(visit)) continue;
    byOrigin.add(origin, [span.endMs - busyMs, span.endMs - overlapMs]);
  }
  return Math.min(mostConnections, Math.max(perHost, mostOf(byOrigin)));
}

type Interval = readonly [startMs: number, endMs: number];

/** Returns the highest number of intervals of one origin that overlap. */
function mostOf(byOrigin: Lists<string, Interval>): number {
  return [...byOrigin.values()].reduce((most, intervals) => Math.max(most, mostAtOnce(intervals)), 0);
}

/** Returns the highest number of intervals that overlap. One that ends makes room for one that starts. */
function mostAtOnce(intervals: readonly Interval[]): number {
  const changes = intervals.flatMap(([startMs, endMs]): [atMs: number, by: number][] => [
    [startMs, 1],
    [endMs, -1],
  ]);
  let running = 0;
  let most = 0;
  for (const [, by] of changes.sort((left, right) => left[0] - right[0] || left[1] - right[1])) {
    running += by;
    most = Math.max(most, running);
  }
  return most;
}

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
