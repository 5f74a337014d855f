import type { Clock } from "../pacing/clock.ts";
import type { RandomSource } from "../pacing/random-source.ts";
import type { StripePlace } from "../pacing/stripe.ts";

/** A virtual user, for executors. */
export interface DrivenVu {
  /**
   * Runs one iteration. `caller` is notified when it has ended in any way, and never before
   * `iterate` has returned.
   */
  iterate(start: IterationStart, caller: IterationCaller): void;
  /**
   * The back-off before the next iteration of a closed model, after one in which no connection opened; null
   * for none.
   */
  rest(): Promise<void> | null;
  /** Ends that back-off early. */
  wake(): void;
  /**
   * Removes the virtual user: cuts off an iteration that still runs and closes its connections. The user
   * cannot be used again. `rampDownMs` is the graceful ramp-down that ran out; null if none did.
   */
  retire(rampDownMs: number | null): void;
}

/** Is notified when an iteration has ended: an object, and no function, which would be one more to look up. */
export interface IterationCaller {
  onIterationEnded(): void;
}

export interface IterationStart {
  /** The iteration's number in the scenario, over all workers, from 0. */
  readonly number: number;
  /** The clock's time at which it should start; null in closed models, where iterations start when they can. */
  readonly intendedMs: number | null;
  /** The clock's time at which the pacer offered it to the VUs; null in closed models. */
  readonly offeredMs: number | null;
}

/**
 * The reason why a due iteration was not started: no VU was free, or became free by the end of the graceful
 * stop (`busy`); too many iterations were queued (`queue full`); the pacer was too late (`late`); the run was
 * stopped early (`stopped`); the scenario's time was over (`time`); the iteration was due before this machine
 * began (`late_start`).
 */
export type DropReason = (typeof openModelDrops)[number] | "time" | "late_start";

/** The reasons why open models drop iterations. */
export const openModelDrops = ["busy", "queue full", "late", "stopped"] as const;

/** One worker's share of one scenario, with everything that an executor may do with it. */
export interface ScenarioShare {
  readonly clock: Clock;
  readonly place: StripePlace;
  /** The clock's time at which the scenario starts. */
  readonly startMs: number;
  /** The clock's time at which this machine began: later than `startMs` only if it was late for a common start. */
  readonly beganMs: number;
  /** Only iterations with smaller numbers are started: feeds have no rows for more. Infinity for no limit. */
  readonly iterationLimit: number;
  /**
   * Reports that an iteration was left out because of that limit: this worker's share of a timed scenario
   * ends before its time.
   */
  reportLimitReached(): void;
  /** Creates the scenario's VU with this number (over all workers, from 0). */
  createVu(number: number): DrivenVu;
  /** Records that `count` iterations, due at `dueMs` (null if they had no due time), were never started. */
  drop(count: number, dueMs: number | null, reason: DropReason): void;
  /** Records that the pacer waited this long without work, in a nap or turn by turn of the event loop. */
  reportWait(durationMs: number, isNap: boolean): void;
  /** Draws the next ticket of the counter that all workers share; null when all `limit` are drawn. */
  drawTicket(limit: number): number | null;
  /** True if fewer than `limit` tickets are drawn. */
  hasTicket(limit: number): boolean;
  /** Draws all tickets that are left and returns how many there were. */
  drawRemainingTickets(limit: number): number;
  /**
   * Returns the random numbers of the scenario's arrivals: the same stream in every
   * worker, from its beginning.
   */
  arrivalSource(): RandomSource;
  /** True if nothing more may start: the scenario's time is over, or the run is stopping. */
  isOver(): boolean;
  /** True if the run is stopping before the scenario's time is over. */
  isStopped(): boolean;
  /** Calls back when the run is stopping, or at the hard stop: waiting iterations will no longer start. */
  onStop(callback: () => void): void;
}
