/** A time in which nothing of the process ran, by the clock. */
export interface Stall {
  readonly fromMs: number;
  /** At least so long. */
  readonly durationMs: number;
}

/** A beat that is later than this was not just waiting for its turn. */
const leastLateMs = 1000;

/** Who used more of one core than this meanwhile was busy, and did not stand still: only its timers did. */
const busyShare = 0.75;

/** The most that are kept apart; of more, nobody reads the times. */
const maxStalls = 100;

/** Finds stalls in the beats of a timer: all of the process stands still where one comes late and no CPU was used. */
export class StallWatch {
  readonly #periodMs: number;
  #beatMs: number;
  #cpuMs: number;
  readonly #stalls: Stall[] = [];

  constructor(periodMs: number, nowMs: number, cpuMs: number) {
    this.#periodMs = periodMs;
    this.#beatMs = nowMs;
    this.#cpuMs = cpuMs;
  }

  /** The stall that ended with this beat; null where there was none. `cpuMs`: what the process has used so far. */
  beat(nowMs: number, cpuMs: number): Stall | null {
    const [fromMs, gapMs, usedMs] = [this.#beatMs, nowMs - this.#beatMs, cpuMs - this.#cpuMs];
    this.#beatMs = nowMs;
    this.#cpuMs = cpuMs;
    const durationMs = gapMs - this.#periodMs;
    if (durationMs < leastLateMs || usedMs > durationMs * busyShare) return null;
    const stall = { fromMs, durationMs };
    if (this.#stalls.length < maxStalls) this.#stalls.push(stall);
    return stall;
  }

  get stalls(): readonly Stall[] {
    return this.#stalls;
  }
}
