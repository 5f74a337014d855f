import { monitorEventLoopDelay, performance, type EventLoopUtilization } from "node:perf_hooks";

import type { WorkerHealth } from "../protocol/messages.ts";

const resolutionMs = 10;

/** How busy this thread has been since `begin`, and how late its timers fired. */
export class LoopWatch {
  readonly #delay: ReturnType<typeof monitorEventLoopDelay> = monitorEventLoopDelay({
    resolution: resolutionMs,
  });
  #before: EventLoopUtilization = performance.eventLoopUtilization();
  #spunMs = 0;

  /** Loading a test is not load: what came before is forgotten. */
  begin(): void {
    this.#before = performance.eventLoopUtilization();
    this.#delay.enable();
  }

  /** Turns in which the pacer only waited for the next event: busy by the clock, but no work. */
  addSpin(durationMs: number): void {
    this.#spunMs += durationMs;
  }

  sample(): WorkerHealth {
    const { active, idle } = performance.eventLoopUtilization(this.#before);
    const worked = Math.max(0, active - this.#spunMs);
    // The monitor records the whole distance between two of its timers.
    const loopDelayP99Ms =
      this.#delay.count === 0 ? 0 : Math.max(0, this.#delay.percentile(99) / 1e6 - resolutionMs);
    return { utilization: active + idle === 0 ? 0 : worked / (active + idle), loopDelayP99Ms };
  }

  stop(): void {
    this.#delay.disable();
  }
}
