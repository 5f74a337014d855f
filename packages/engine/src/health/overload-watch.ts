import { busyBounds, lateBoundsMs } from "./diagnose-workers.ts";

/** The health of a worker since its last report, a second ago unless it was held up. */
export interface SecondHealth {
  readonly durationMs: number;
  /** Share of the time that the thread was busy, 0–1; the pacer's waiting is left out. */
  readonly utilization: number;
  readonly loopDelayP99Ms: number;
  /** Null where nothing was scheduled. */
  readonly scheduleLagP99Ms: number | null;
}

/** One second may be a pause of the garbage collector or the machine. Three seconds, less the error of timers, are not. */
const overloadedAfterMs = 2800;

/** The last snapshot of a run may cover too short a time to mean anything. */
const leastMs = 500;

/** Warns once of each worker that is overloaded for three seconds without a break. */
export class OverloadWatch {
  readonly #overloadedMs = new Map<number, number>();
  readonly #told = new Set<number>();

  /** Returns a sentence when it is time to warn, else null. A worker that was held up reports several seconds at once. */
  add(workerId: number, second: SecondHealth): string | null {
    if (second.durationMs < leastMs || this.#told.has(workerId)) return null;
    const sentence = describeOverload(second);
    const beforeMs = this.#overloadedMs.get(workerId) ?? 0;
    const overloadedMs = sentence === null ? 0 : beforeMs + second.durationMs;
    this.#overloadedMs.set(workerId, overloadedMs);
    if (sentence === null || overloadedMs < overloadedAfterMs) return null;
    this.#told.add(workerId);
    return `worker ${workerId} ${sentence}; the times now measure the generator as much as the target`;
  }
}

/** The first of these that holds causes the others. */
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
