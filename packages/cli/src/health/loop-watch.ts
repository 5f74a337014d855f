import { performance, type EventLoopUtilization } from "node:perf_hooks";

import type { PausesResult } from "@bearhug/sdk/internal";

import type { Clock } from "../pacing/clock.ts";
import { every } from "../pacing/every.ts";
import type { WorkerHealth } from "../protocol/messages.ts";
import { LoopDelays } from "./loop-delays.ts";

const lookEveryMs = 10;

/** Shorter ones are no pauses: work has turns. */
const leastPauseMs = 20;

/** How busy this thread has been since `begin`, and how late it was in looking at what had happened. */
export class LoopWatch {
  readonly #delays = new LoopDelays();
  /** Of the time since the last sample. */
  readonly #lastDelays = new LoopDelays();
  #pauses: PausesResult = { count: 0, totalMs: 0, longestMs: 0, longestAtMs: 0 };
  #before: EventLoopUtilization = performance.eventLoopUtilization();
  #last: EventLoopUtilization = this.#before;
  #spunMs = 0;
  #lastSpunMs = 0;
  #look: () => void = () => undefined;
  #endLooks: () => void = () => undefined;

  /** Loading a test is not load: what came before is forgotten. Pauses have their time from here on. */
  begin(clock: Clock): void {
    this.#before = performance.eventLoopUtilization();
    this.#last = this.#before;
    const beganMs = clock.now();
    let lookedMs = beganMs;
    this.#look = () => {
      const nowMs = clock.now();
      const spanMs = nowMs - lookedMs;
      lookedMs = nowMs;
      this.#add(spanMs, Math.max(0, spanMs - lookEveryMs), nowMs - beganMs);
    };
    this.#endLooks = every(clock, lookEveryMs, this.#look);
  }

  #add(spanMs: number, delayMs: number, untilMs: number): void {
    this.#delays.add(spanMs, delayMs);
    this.#lastDelays.add(spanMs, delayMs);
    if (delayMs < leastPauseMs) return;
    const { count, totalMs, longestMs, longestAtMs } = this.#pauses;
    const isLongest = delayMs > longestMs;
    this.#pauses = {
      count: count + 1,
      totalMs: totalMs + delayMs,
      longestMs: isLongest ? delayMs : longestMs,
      longestAtMs: isLongest ? untilMs - delayMs : longestAtMs,
    };
  }

  /** Turns in which the pacer only waited for the next event: busy by the clock, but no work. */
  addSpin(durationMs: number): void {
    this.#spunMs += durationMs;
  }

  /** What was seen since `begin`, and since the last sample. */
  sample(): WorkerHealth {
    // A pause that has just ended is of this sample, whichever timer came first.
    this.#look();
    const now = performance.eventLoopUtilization();
    const sinceBegin = performance.eventLoopUtilization(now, this.#before);
    const sinceLast = performance.eventLoopUtilization(now, this.#last);
    const last = {
      durationMs: sinceLast.active + sinceLast.idle,
      utilization: busyShare(sinceLast, this.#spunMs - this.#lastSpunMs),
      loopDelayP99Ms: this.#lastDelays.percentile(99),
    };
    this.#last = now;
    this.#lastSpunMs = this.#spunMs;
    this.#lastDelays.clear();
    return {
      utilization: busyShare(sinceBegin, this.#spunMs),
      loopDelayP95Ms: this.#delays.percentile(95),
      loopDelayP99Ms: this.#delays.percentile(99),
      pauses: this.#pauses,
      waitedMs: this.#spunMs,
      last,
    };
  }

  stop(): void {
    this.#endLooks();
  }
}

function busyShare({ active, idle }: EventLoopUtilization, spunMs: number): number {
  return active + idle === 0 ? 0 : Math.max(0, active - spunMs) / (active + idle);
}
