import { type EventLoopUtilization, performance } from "node:perf_hooks";

import { type Clock, every } from "@bearhug/plan/pacing/clock";
import type { WorkerHealth } from "@bearhug/plan/protocol/messages";
import type { PausesResult } from "@bearhug/sdk/result";

const checkEveryMs = 10;

/** Shorter delays do not count as pauses: they are ordinary work. */
const minPauseMs = 20;

/** Measures, from `begin` on, how busy this thread is and how late it notices events. */
export class LoopWatch {
  readonly #delays = new LoopDelays();
  /** Delays since the last sample. */
  readonly #lastDelays = new LoopDelays();
  #pauses: PausesResult = { count: 0, totalMs: 0, longestMs: 0, longestAtMs: 0 };
  #before: EventLoopUtilization = performance.eventLoopUtilization();
  #last: EventLoopUtilization = this.#before;
  #spunMs = 0;
  /** The part of `#spunMs` that took CPU. */
  #spunCpuMs = 0;
  #lastSpunMs = 0;
  #check: () => void = () => undefined;
  #endChecks: () => void = () => undefined;

  /**
   * Starts the measurement, so that loading a test does not count. Times of pauses are relative to this
   * moment.
   */
  begin(clock: Clock): void {
    this.#before = performance.eventLoopUtilization();
    this.#last = this.#before;
    const beganMs = clock.now();
    let checkedMs = beganMs;
    this.#check = () => {
      const nowMs = clock.now();
      const spanMs = nowMs - checkedMs;
      checkedMs = nowMs;
      this.#add(spanMs, Math.max(0, spanMs - checkEveryMs), nowMs - beganMs);
    };
    this.#endChecks = every(clock, checkEveryMs, this.#check);
  }

  #add(spanMs: number, delayMs: number, untilMs: number): void {
    this.#delays.add(spanMs, delayMs);
    this.#lastDelays.add(spanMs, delayMs);
    if (delayMs < minPauseMs) return;
    const { count, totalMs, longestMs, longestAtMs } = this.#pauses;
    const isLongest = delayMs > longestMs;
    this.#pauses = {
      count: count + 1,
      totalMs: totalMs + delayMs,
      longestMs: isLongest ? delayMs : longestMs,
      longestAtMs: isLongest ? untilMs - delayMs : longestAtMs,
    };
  }

  /**
   * Adds naps and turns in which the pacer only waited for the next event, so that they do not count as busy.
   */
  addSpin(durationMs: number, isNap: boolean): void {
    this.#spunMs += durationMs;
    if (!isNap) this.#spunCpuMs += durationMs;
  }

  /** Returns the measurements since `begin`, and since the last sample. */
  sample(): WorkerHealth {
    // Include a pause that has just ended, even if this timer fired before that of the watch.
    this.#check();
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
      waitedMs: this.#spunCpuMs,
      last,
    };
  }

  stop(): void {
    this.#endChecks();
  }
}

function busyShare({ active, idle }: EventLoopUtilization, spunMs: number): number {
  return active + idle === 0 ? 0 : Math.max(0, active - spunMs) / (active + idle);
}

/** The resolution to which delays are rounded. */
const resolutionMs = 0.1;

/**
 * Delays between an event and the moment at which the thread notices it, weighted by time and not by check. A
 * pause of 900 ms is one check among hundreds, but every event in it waits for up to 900 ms.
 */
export class LoopDelays {
  /** Counts by delay, in units of the resolution. There are few keys, because delays themselves take time. */
  readonly #counts = new Map<number, number>();
  #spanMs = 0;

  /** Adds a check `spanMs` after the last one and `delayMs` later than planned. */
  add(spanMs: number, delayMs: number): void {
    this.#spanMs += spanMs;
    const key = Math.round(delayMs / resolutionMs);
    if (key > 0) this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  /** Returns the delay that is not exceeded at `percent` % of all moments. */
  percentile(percent: number): number {
    const worstMs = this.#spanMs * (1 - percent / 100);
    let [pauses, sumMs] = [0, 0];
    for (const [key, count] of [...this.#counts].toSorted(([a], [b]) => b - a)) {
      const delayMs = key * resolutionMs;
      // A longer pause adds moments with a delay above this one, for the difference of their lengths.
      if (sumMs - pauses * delayMs >= worstMs) break;
      pauses += count;
      sumMs += count * delayMs;
    }
    return pauses === 0 ? 0 : Math.max(0, (sumMs - worstMs) / pauses);
  }

  clear(): void {
    this.#counts.clear();
    this.#spanMs = 0;
  }
}
