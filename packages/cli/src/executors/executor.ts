import type { Clock } from "../pacing/clock.ts";
import type { Stripe } from "../pacing/stripe.ts";

/** A virtual user, as far as an executor is concerned. */
export interface DrivenVu {
  /** Runs one iteration and resolves, never rejects, when it has ended. */
  iterate(start: IterationStart): Promise<void>;
}

export interface IterationStart {
  /** Which iteration of the scenario, over all workers, from 0. */
  readonly number: number;
  /** When it should have started, by the clock; null in closed models, where iterations start when they can. */
  readonly intendedMs: number | null;
  /** When the pacer woke for it; null in closed models. */
  readonly wokeMs: number | null;
}

/** One worker's share of one scenario, with all that an executor may do to it. */
export interface ScenarioShare {
  readonly clock: Clock;
  readonly stripe: Stripe;
  /** When the scenario starts, by the clock. */
  readonly startMs: number;
  /** Makes the scenario's VU of this number (over all workers, from 0). */
  createVu(number: number): DrivenVu;
  /** An arrival found no free VU. */
  drop(): void;
  /** The pacer spun for so long without work. */
  spun(durationMs: number): void;
  /** The next ticket of the counter that all workers share, or null when `limit` are drawn. */
  drawTicket(limit: number): number | null;
  /** Nothing more is to be started: the scenario's time is over, or the run is stopping. */
  readonly isOver: boolean;
  /** Calls back once it is over. */
  onOver(callback: () => void): void;
}

/** Starts a scenario's iterations; resolves when all it started have ended. */
export type Executor<Scenario> = (scenario: Scenario, share: ScenarioShare) => Promise<void>;
