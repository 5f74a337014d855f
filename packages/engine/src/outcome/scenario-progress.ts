import type { ScenarioPacing } from "@bearhug/plan/executors/load-model";
import { activeMs, isTimed, modelOf } from "@bearhug/plan/executors/load-models";
import type { RateProfile } from "@bearhug/plan/pacing/rate-profile";
import type { Stripe } from "@bearhug/plan/pacing/stripe";
import type { ScenarioSnapshot } from "@bearhug/sdk";
import type { MaskedText } from "@bearhug/text/masked-text";

import type { ScenarioCounts } from "./account.ts";
import type { LoadCounts } from "./load-counts.ts";

const noCounts: ScenarioCounts = { vus: 0, ended: 0, interrupted: 0, dropped: 0 };

export interface LoadMoment {
  /** The clock's time since the start of the load, including the warm-up. */
  readonly loadMs: number;
  /** The end of the reported second, from the start of the load. */
  readonly atMs: number;
  readonly isWarmup: boolean;
}

/** The progress of one scenario of a running test. */
export class ScenarioProgress {
  readonly #name: string;
  readonly #pacing: ScenarioPacing;
  /** The scenario's number in the plan. */
  readonly #index: number;
  readonly #shard: Stripe;
  readonly #profile: RateProfile | null;
  readonly #plannedIterations: number | null;
  /** The time of the last call, and the iterations that had ended by then. */
  #before = { loadMs: 0, ended: 0 };

  constructor(name: string, pacing: ScenarioPacing, index: number, shard: Stripe) {
    const model = modelOf(pacing);
    this.#name = name;
    this.#pacing = pacing;
    this.#index = index;
    this.#shard = shard;
    this.#profile = model.arrivalsOf(pacing);
    this.#plannedIterations = model.countedIterations(pacing, shard);
  }

  /** Returns the current state of the scenario. Rates cover the time since the last call. */
  at(
    counts: Pick<LoadCounts, "measured" | "warmup">,
    { loadMs, atMs, isWarmup }: LoadMoment,
    hide: (text: string) => MaskedText,
  ): ScenarioSnapshot {
    const { startTimeMs } = this.#pacing;
    const warmup = counts.warmup.scenarios[this.#index] ?? noCounts;
    const measured = counts.measured.scenarios[this.#index] ?? noCounts;
    const counted = isWarmup ? warmup : measured;
    const ended = warmup.ended + measured.ended;
    const before = this.#before;
    this.#before = { loadMs, ended };
    const seconds = Math.max(1, loadMs - before.loadMs) / 1000;
    const over = ended + warmup.interrupted + measured.interrupted;
    return {
      name: hide(this.#name),
      plannedRate: this.#profile === null ? null : this.#dueBetween(before.loadMs, loadMs) / seconds,
      iterationRate: (ended - before.ended) / seconds,
      vus: warmup.vus + measured.vus,
      iterations: counted.ended,
      plannedIterations: this.#plannedIterations,
      dropped: counted.dropped,
      progress: this.#progressAt(atMs, over),
      startsInMs: Math.max(0, startTimeMs - atMs),
      leftMs: isTimed(this.#pacing)
        ? Math.max(0, startTimeMs + activeMs(this.#pacing) - Math.max(atMs, startTimeMs))
        : null,
    };
  }

  #dueBetween(fromMs: number, untilMs: number): number {
    const { startTimeMs } = this.#pacing;
    const dueBy = (loadMs: number): number => this.#profile?.arrivalsBy(loadMs - startTimeMs) ?? 0;
    return (dueBy(untilMs) - dueBy(fromMs)) / this.#shard.count;
  }

  #progressAt(atMs: number, iterationsOver: number): number {
    const share =
      this.#plannedIterations === null
        ? (atMs - this.#pacing.startTimeMs) / activeMs(this.#pacing)
        : iterationsOver / Math.max(1, this.#plannedIterations);
    return Math.min(1, Math.max(0, share));
  }
}
