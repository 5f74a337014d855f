import type { Clock } from "../../src/pacing/clock.ts";

interface Timer {
  readonly atMs: number;
  readonly callback: () => void;
}

/** A clock whose time passes only when the test says so. Timers fire in order, each exactly on time. */
export class FakeClock implements Clock {
  #nowMs: number;
  readonly #timers = new Set<Timer>();
  #turns: (() => void)[] = [];

  constructor(startMs = 0) {
    this.#nowMs = startMs;
  }

  now(): number {
    return this.#nowMs;
  }

  latest(): number {
    return this.#nowMs;
  }

  date(): Date {
    return new Date(Date.UTC(2026, 0, 1) + this.#nowMs);
  }

  at(atMs: number, callback: () => void): () => void {
    const timer = { atMs, callback };
    this.#timers.add(timer);
    return () => {
      this.#timers.delete(timer);
    };
  }

  nextTurn(callback: () => void): void {
    this.#turns.push(callback);
  }

  nap(durationMs: number): void {
    this.jump(durationMs);
  }

  /** The number of armed timers. */
  get armed(): number {
    return this.#timers.size;
  }

  /** Lets time pass without firing any timer, as when the thread is busy. */
  jump(byMs: number): void {
    this.#nowMs += byMs;
  }

  /** Lets time pass up to `toMs`, and fires timers on the way. A turn of the event loop takes `turnMs`. */
  async runTo(toMs: number, turnMs = 0.5): Promise<void> {
    await settleMicrotasks();
    for (;;) {
      const turns = this.#turns.splice(0);
      if (turns.length > 0) {
        this.#nowMs = Math.max(this.#nowMs, Math.min(toMs, this.#nowMs + turnMs));
        for (const resolve of turns) resolve();
        this.#fireDue();
      } else {
        const next = this.#nextTimer();
        if (next === undefined || next.atMs > toMs) break;
        this.#timers.delete(next);
        this.#nowMs = Math.max(this.#nowMs, next.atMs);
        next.callback();
      }
      await settleMicrotasks();
      if (this.#turns.length > 0 && this.#nowMs >= toMs) break;
    }
    this.#nowMs = Math.max(this.#nowMs, toMs);
  }

  /** Fires the timers that are due: as in a real event loop, they run between requested turns. */
  #fireDue(): void {
    for (
      let next = this.#nextTimer();
      next !== undefined && next.atMs <= this.#nowMs;
      next = this.#nextTimer()
    ) {
      this.#timers.delete(next);
      next.callback();
    }
  }

  #nextTimer(): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers) if (next === undefined || timer.atMs < next.atMs) next = timer;
    return next;
  }
}

/** Lets all pending promise callbacks run, by waiting for a turn of the real event loop. */
async function settleMicrotasks(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}
