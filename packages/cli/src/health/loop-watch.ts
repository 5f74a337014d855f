import { monitorEventLoopDelay, performance, type EventLoopUtilization, type IntervalHistogram } from "node:perf_hooks";

import type { WorkerHealth } from "../protocol/messages.ts";

const resolutionMs = 10;

/** How busy this thread is, and how late its timers fire; measured since the last sample. */
export class LoopWatch {
  readonly #delay: IntervalHistogram = monitorEventLoopDelay({ resolution: resolutionMs });
  #utilization: EventLoopUtilization = performance.eventLoopUtilization();

  constructor() {
    this.#delay.enable();
  }

  sample(): WorkerHealth {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, this.#utilization);
    this.#utilization = now;
    // The monitor records the whole distance between two of its timers.
    const loopDelayP99Ms = this.#delay.count === 0 ? 0 : Math.max(0, this.#delay.percentile(99) / 1e6 - resolutionMs);
    this.#delay.reset();
    return { utilization, loopDelayP99Ms };
  }

  stop(): void {
    this.#delay.disable();
  }
}
