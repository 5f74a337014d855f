import type { ValidatedOpenModel } from "./validated-scenario.ts";
import { stripeNumber, stripeSize, type Stripe } from "../pacing/stripe.ts";
import type { DrivenVu, IterationStart, ScenarioShare } from "./scenario-share.ts";
import { TurnKeeper } from "./turn-keeper.ts";

/** The VUs of an open model: created when needed; the one that became free last is used next. */
export class VuPool {
  readonly #share: ScenarioShare;
  readonly #stripe: Stripe;
  readonly #maxVus: number;
  readonly #queue: ArrivalQueue | null;
  readonly #turns: TurnKeeper;
  readonly #idle: DrivenVu[] = [];
  #created = 0;
  #running = 0;
  #onSettled: (() => void) | null = null;

  /** The pool gets its stripe's share of the VUs of all workers. */
  constructor(share: ScenarioShare, { preAllocatedVUs, maxVUs, onBusy }: ValidatedOpenModel, stripe: Stripe) {
    this.#share = share;
    this.#turns = new TurnKeeper(share.clock);
    this.#stripe = stripe;
    this.#maxVus = stripeSize(maxVUs, stripe);
    this.#queue = onBusy === "queue" ? new ArrivalQueue() : null;
    while (this.#created < stripeSize(preAllocatedVUs, stripe)) this.#idle.push(this.#create());
    share.onStop(() => {
      // If the run was not stopped early, the graceful stop has ended: there were too few VUs for the
      // arrivals still queued.
      const reason = share.isStopped() ? "stopped" : "busy";
      for (const { intendedMs } of this.#queue?.drain() ?? []) share.drop(1, intendedMs, reason);
    });
  }

  /** Starts an iteration on a free VU. If all are busy, the iteration is queued or dropped. */
  start(arrival: IterationStart): void {
    const vu = this.#idle.pop() ?? (this.#created < this.#maxVus ? this.#create() : undefined);
    if (vu !== undefined) void this.#run(vu, arrival);
    else if (this.#queue === null) this.#share.drop(1, arrival.intendedMs, "busy");
    else if (!this.#queue.join(arrival)) this.#share.drop(1, arrival.intendedMs, "queue full");
  }

  /** Resolves when no iteration runs or waits. */
  async settled(): Promise<void> {
    if (this.#running === 0) return;
    await new Promise<void>((resolve) => {
      this.#onSettled = resolve;
    });
  }

  async #run(vu: DrivenVu, first: IterationStart): Promise<void> {
    this.#running++;
    for (
      let arrival: IterationStart | undefined = first;
      arrival !== undefined;
      arrival = this.#queue?.next()
    ) {
      await iterated(vu, arrival);
      const turn = this.#queue === null ? null : this.#turns.due();
      if (turn !== null) await turn;
    }
    this.#idle.push(vu);
    this.#running--;
    if (this.#running === 0) this.#onSettled?.();
  }

  #create(): DrivenVu {
    return this.#share.createVu(stripeNumber(this.#created++, this.#stripe));
  }
}

/** Runs one iteration; resolves when it has ended. */
function iterated(vu: DrivenVu, start: IterationStart): Promise<void> {
  return new Promise((resolve) => {
    vu.iterate(start, resolve);
  });
}

/**
 * The most arrivals that may wait. Later ones would not be served in any useful time, and would only take
 * memory.
 */
export const longestQueue = 250_000;

/** Arrivals that wait for a free VU, first come, first served. */
export class ArrivalQueue {
  #waiting: IterationStart[] = [];
  #served = 0;

  get length(): number {
    return this.#waiting.length - this.#served;
  }

  /** Adds an arrival; returns false if the queue is full. */
  join(arrival: IterationStart): boolean {
    if (this.length >= longestQueue) return false;
    this.#waiting.push(arrival);
    return true;
  }

  next(): IterationStart | undefined {
    const arrival = this.#waiting[this.#served];
    if (arrival === undefined) return undefined;
    this.#served++;
    // The array is compacted once in a while: removing one element from the front each time would move all
    // the others.
    if (this.#served * 2 > this.#waiting.length && this.#served > 1000) {
      this.#waiting = this.#waiting.slice(this.#served);
      this.#served = 0;
    }
    return arrival;
  }

  /** Empties the queue and returns the arrivals that were still waiting. */
  drain(): IterationStart[] {
    const waiting = this.#waiting.slice(this.#served);
    this.#waiting = [];
    this.#served = 0;
    return waiting;
  }
}
