import { monitorEventLoopDelay, performance, type EventLoopUtilization } from "node:perf_hooks";

import type { WorkerHealth } from "../protocol/messages.ts";

const resolutionMs = 10;

type DelayMonitor = ReturnType<typeof monitorEventLoopDelay>;

/** How busy this thread has been since `begin`, and how late its timers fired. */
export class LoopWatch {
  readonly #delay: DelayMonitor = monitorEventLoopDelay({ resolution: resolutionMs });
  /** Of the time since the last sample. */
  readonly #lastDelay: DelayMonitor = monitorEventLoopDelay({ resolution: resolutionMs });
  #before: EventLoopUtilization = performance.eventLoopUtilization();
  #last: EventLoopUtilization = this.#before;
  #spunMs = 0;
  #lastSpunMs = 0;

  /** Loading a test is not load: what came before is forgotten. */
  begin(): void {
    this.#before = performance.eventLoopUtilization();
    this.#last = this.#before;
    this.#delay.enable();
    this.#lastDelay.enable();
  }

  /** Turns in which the pacer only waited for the next event: busy by the clock, but no work. */
  addSpin(durationMs: number): void {
    this.#spunMs += durationMs;
  }

  /** What was seen since `begin`, and since the last sample. */
  sample(): WorkerHealth {
    const now = performance.eventLoopUtilization();
    const sinceBegin = performance.eventLoopUtilization(now, this.#before);
    const sinceLast = performance.eventLoopUtilization(now, this.#last);
    const last = {
      durationMs: sinceLast.active + sinceLast.idle,
      utilization: busyShare(sinceLast, this.#spunMs - this.#lastSpunMs),
      loopDelayP99Ms: delayP99Ms(this.#lastDelay),
    };
    this.#last = now;
    this.#lastSpunMs = this.#spunMs;
    this.#lastDelay.reset();
    return {
      utilization: busyShare(sinceBegin, this.#spunMs),
      loopDelayP99Ms: delayP99Ms(this.#delay),
      waitedMs: this.#spunMs,
      last,
    };
  }

  stop(): void {
    this.#delay.disable();
    this.#lastDelay.disable();
  }
}

function busyShare({ active, idle }: EventLoopUtilization, spunMs: number): number {
  return active + idle === 0 ? 0 : Math.max(0, active - spunMs) / (active + idle);
}

/** The monitor records the whole distance between two of its timers. */
function delayP99Ms(monitor: DelayMonitor): number {
  return monitor.count === 0 ? 0 : Math.max(0, monitor.percentile(99) / 1e6 - resolutionMs);
}
