import type { DrivenVu, IterationStart, ScenarioShare } from "../../src/executors/executor.ts";
import { randomSource, type RandomSource } from "../../src/pacing/random-source.ts";
import type { Stripe } from "../../src/pacing/stripe.ts";
import { SharedTickets } from "../../src/protocol/shared-tickets.ts";
import type { FakeClock } from "../pacing/fake-clock.ts";

export interface RanIteration extends IterationStart {
  readonly vu: number;
  readonly atMs: number;
}

/** One worker's share whose iterations take `iterationMs` of a fake clock's time. */
export class FakeShare implements ScenarioShare {
  readonly clock: FakeClock;
  readonly stripe: Stripe;
  readonly startMs: number;
  readonly ran: RanIteration[] = [];
  /** Numbers of the VUs, in the order in which they were made. */
  readonly vus: number[] = [];
  /** Numbers of the VUs that left. */
  readonly retired: number[] = [];
  dropped = 0;
  running = 0;
  mostRunning = 0;
  isOver = false;
  isStopped = false;
  readonly #iterationMs: (start: IterationStart, vu: number) => number;
  readonly #tickets: SharedTickets;
  readonly #callbacks: (() => void)[] = [];

  constructor(
    clock: FakeClock,
    {
      iterationMs = () => 0,
      stripe = { index: 0, count: 1 },
      tickets = new SharedTickets(1),
    }: {
      readonly iterationMs?: (start: IterationStart, vu: number) => number;
      readonly stripe?: Stripe;
      readonly tickets?: SharedTickets;
    } = {},
  ) {
    this.clock = clock;
    this.startMs = clock.now();
    this.stripe = stripe;
    this.#iterationMs = iterationMs;
    this.#tickets = tickets;
  }

  createVu(number: number): DrivenVu {
    this.vus.push(number);
    let hasRetired = false;
    let interrupt: () => void = () => undefined;
    return {
      iterate: async (start) => {
        this.ran.push({ ...start, vu: number, atMs: this.clock.now() });
        this.running++;
        this.mostRunning = Math.max(this.mostRunning, this.running);
        const tookMs = this.#iterationMs(start, number);
        if (tookMs > 0) {
          await new Promise<void>((resolve) => {
            interrupt = resolve;
            this.clock.at(this.clock.now() + tookMs, resolve);
          });
        }
        this.running--;
      },
      retire: () => {
        if (hasRetired) return;
        hasRetired = true;
        this.retired.push(number);
        interrupt();
      },
    };
  }

  drop(count: number): void {
    this.dropped += count;
  }

  spun(): void {}

  drawTicket(limit: number): number | null {
    return this.#tickets.draw(0, limit);
  }

  drawRemainingTickets(limit: number): number {
    return this.#tickets.drawRemaining(0, limit);
  }

  arrivalSource(): RandomSource {
    return randomSource(4242, -1);
  }

  onStop(callback: () => void): void {
    if (this.isStopped) callback();
    else this.#callbacks.push(callback);
  }

  /** The scenario's time is over. */
  end(): void {
    this.isOver = true;
  }

  /** The run is stopping. */
  stop(): void {
    this.isOver = true;
    this.isStopped = true;
    for (const callback of this.#callbacks.splice(0)) callback();
  }

  /** Numbers of the iterations that ran, ascending. */
  get numbers(): number[] {
    return this.ran.map(({ number }) => number).sort((left, right) => left - right);
  }
}

/** 0 … count − 1 */
export function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, number) => number);
}
