import { busyBounds, lateBoundsMs } from "./diagnose-workers.ts";

/** The health of a worker since its last report, a second before unless it was held up. */
export interface SecondHealth {
  readonly durationMs: number;
  /** The share of time in which the thread was busy, 0–1, without the pacer's waiting. */
  readonly utilization: number;
  readonly loopDelayP99Ms: number;
  /** Null if nothing was scheduled. */
  readonly scheduleLagP99Ms: number | null;
}

/**
 * Three seconds, less the error of timers. A single second may be a pause of the garbage collector or the
 * machine.
 */
const overloadedAfterMs = 2800;

/** The last snapshot of a run may cover too short a time to mean anything. */
const minMs = 500;

/** Warns once about each worker that is overloaded for three consecutive seconds. */
export class OverloadWatch {
  readonly #overloadedMs = new Map<number, number>();
  readonly #warned = new Set<number>();

  /**
   * Returns a sentence when it is time to warn, otherwise null. A worker that was held up reports several
   * seconds at once.
   */
  add(workerId: number, second: SecondHealth): string | null {
    if (second.durationMs < minMs || this.#warned.has(workerId)) return null;
    const sentence = describeOverload(second);
    const beforeMs = this.#overloadedMs.get(workerId) ?? 0;
    const overloadedMs = sentence === null ? 0 : beforeMs + second.durationMs;
    this.#overloadedMs.set(workerId, overloadedMs);
    if (sentence === null || overloadedMs < overloadedAfterMs) return null;
    this.#warned.add(workerId);
    return `worker ${workerId} ${sentence}; the times now measure the generator as much as the target`;
  }
}

/** Describes the first condition that holds, because it causes the others. */
function describeOverload({ utilization, loopDelayP99Ms, scheduleLagP99Ms }: SecondHealth): string | null {
  if (utilization >= busyBounds.saturated) {
    return `is busy ${Math.floor(Math.min(1, utilization) * 100)} % of the time: add workers (--workers) or lower the load`;
  }
  if (loopDelayP99Ms >= lateBoundsMs.saturated) {
    return `is up to ${Math.round(loopDelayP99Ms)} ms late to notice events: the test's code blocks its thread, or other processes take the CPU`;
  }
  if (scheduleLagP99Ms !== null && scheduleLagP99Ms >= lateBoundsMs.saturated) {
    return `starts iterations up to ${Math.round(scheduleLagP99Ms)} ms late: add workers (--workers) or lower the rate`;
  }
  return null;
}
