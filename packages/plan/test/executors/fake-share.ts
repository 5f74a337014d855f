import type {
  DropReason,
  DrivenVu,
  IterationStart,
  ScenarioShare,
} from "../../src/executors/scenario-share.ts";
import { randomSource, type RandomSource } from "../../src/pacing/random-source.ts";
import { stripeAt, wholeStripe, type StripePlace, type Stripe } from "../../src/pacing/stripe.ts";
import { SharedTickets } from "../../src/protocol/shared-tickets.ts";
import type { FakeClock } from "../pacing/fake-clock.ts";

export interface RanIteration extends IterationStart {
  readonly vu: number;
  readonly atMs: number;
}

/** One worker's share of a scenario, whose iterations take `iterationMs` on a fake clock. */
export class FakeShare implements ScenarioShare {
  readonly clock: FakeClock;
  readonly place: StripePlace;
  readonly startMs: number;
  readonly beganMs: number;
  readonly ran: RanIteration[] = [];
  /** Numbers of the VUs, in the order in which they were made. */
  readonly vus: number[] = [];
  /** Numbers of the VUs that left. */
  readonly retired: number[] = [];
  dropped = 0;
  spunMs = 0;
  readonly dropReasons = new Set<DropReason>();
  /** When each dropped iteration had been due. */
  readonly droppedDueMs: (number | null)[] = [];
  onRetired: () => void = () => undefined;
  running = 0;
  mostRunning = 0;
  iterationLimit = Number.POSITIVE_INFINITY;
  hasReachedLimit = false;
  readonly #iterationMs: (start: IterationStart, vu: number) => number;
  readonly #tickets: SharedTickets;
  readonly #interruptedAfterMs: number;
  readonly #restMs: (vu: number) => number;
  readonly #callbacks: (() => void)[] = [];
  readonly #wakes: (() => void)[] = [];
  #isOver = false;
  #isStopped = false;

  constructor(
    clock: FakeClock,
    {
      iterationMs = () => 0,
      stripe = wholeStripe,
      shard = wholeStripe,
      lateMs = 0,
      tickets = new SharedTickets(1),
      interruptedAfterMs = 0,
      restMs = () => 0,
    }: {
      readonly iterationMs?: (start: IterationStart, vu: number) => number;
      /** The stripe of a worker in its shard. */
      readonly stripe?: Stripe;
      readonly shard?: Stripe;
      /** How long after the scenario's start the machine began. */
      readonly lateMs?: number;
      readonly tickets?: SharedTickets;
      /** How long an iteration goes on after it was interrupted. */
      readonly interruptedAfterMs?: number;
      /** How long a VU rests after each of its iterations. */
      readonly restMs?: (vu: number) => number;
    } = {},
  ) {
    this.clock = clock;
    this.startMs = clock.now();
    this.beganMs = this.startMs + lateMs;
    this.place = { shard, worker: stripe };
    this.#iterationMs = iterationMs;
    this.#tickets = tickets;
    this.#interruptedAfterMs = interruptedAfterMs;
    this.#restMs = restMs;
  }

  get stripe(): Stripe {
    return stripeAt(this.place);
  }

  createVu(number: number): DrivenVu {
    this.vus.push(number);
    let hasRetired = false;
    let interrupt: () => void = () => undefined;
    let wake: () => void = () => undefined;
    this.#wakes.push(() => {
      wake();
    });
    const iterate = async (start: IterationStart): Promise<void> => {
      this.ran.push({ ...start, vu: number, atMs: this.clock.now() });
      this.running++;
      this.mostRunning = Math.max(this.mostRunning, this.running);
      const tookMs = this.#iterationMs(start, number);
      if (tookMs > 0) {
        await new Promise<void>((resolve) => {
          const end = this.clock.at(this.clock.now() + tookMs, resolve);
          interrupt = () => {
            end();
            if (this.#interruptedAfterMs === 0) resolve();
            else this.clock.at(this.clock.now() + this.#interruptedAfterMs, resolve);
          };
        });
        interrupt = () => undefined;
      }
      this.running--;
    };
    return {
      iterate: (start, caller) => {
        void iterate(start).then(() => {
          caller.onIterationEnded();
        });
      },
      rest: () => {
        const restMs = this.#restMs(number);
        if (restMs === 0) return null;
        return new Promise<void>((resolve) => {
          const cancel = this.clock.at(this.clock.now() + restMs, resolve);
          wake = () => {
            cancel();
            resolve();
          };
        });
      },
      wake: () => {
        wake();
      },
      retire: () => {
        if (hasRetired) return;
        hasRetired = true;
        this.retired.push(number);
        this.onRetired();
        interrupt();
        wake();
      },
    };
  }

  drop(count: number, dueMs: number | null, reason: DropReason): void {
    this.dropped += count;
    if (count > 0) this.dropReasons.add(reason);
    for (let n = 0; n < count; n++) this.droppedDueMs.push(dueMs);
  }

  reportLimitReached(): void {
    this.hasReachedLimit = true;
  }

  reportWait(durationMs: number, _isNap: boolean): void {
    this.spunMs += durationMs;
  }

  drawTicket(limit: number): number | null {
    return this.#tickets.draw(0, limit);
  }

  hasTicket(limit: number): boolean {
    return this.#tickets.isLeft(0, limit);
  }

  drawRemainingTickets(limit: number): number {
    return this.#tickets.drawRemaining(0, limit);
  }

  arrivalSource(): RandomSource {
    return randomSource(4242, -1);
  }

  isOver(): boolean {
    return this.#isOver;
  }

  isStopped(): boolean {
    return this.#isStopped;
  }

  onStop(callback: () => void): void {
    if (this.#isStopped) callback();
    else this.#callbacks.push(callback);
  }

  /** Ends the scenario's time. */
  end(): void {
    this.#isOver = true;
    for (const wake of this.#wakes) wake();
  }

  /** Stops the run. */
  stop(): void {
    this.#isStopped ||= !this.#isOver;
    this.#isOver = true;
    for (const wake of this.#wakes) wake();
    for (const callback of this.#callbacks.splice(0)) callback();
  }

  /** Numbers of the iterations that ran, ascending. */
  get numbers(): number[] {
    return this.ran.map(({ number }) => number).sort((left, right) => left - right);
  }
}

/** Returns the numbers from 0 to count − 1. */
export function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, number) => number);
}
