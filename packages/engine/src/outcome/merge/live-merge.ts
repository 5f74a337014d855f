import { findAbortingThreshold } from "@bearhug/metrics/thresholds/abort";
import type { ValidatedThreshold } from "@bearhug/metrics/thresholds/read-threshold";
import { StartTimeEstimate } from "@bearhug/plan/executors/start-time-estimate";
import type { IntervalSnapshot } from "@bearhug/sdk";
import { asMasked } from "@bearhug/text/masked-text";

import { SeriesGatherer } from "../gather-series.ts";
import { pacingsOf, RunProgress, type RunningLoad } from "../progress.ts";
import type { RecordedMoment, RecordedPlan, RecordedRun } from "../run-record.ts";
import { mergeProgress } from "./merge-progress.ts";
import { RunMerge, type ShardHeads } from "./run-merge.ts";

export interface LiveMergeOptions {
  readonly allowsPartial: boolean;
  /** True if snapshots must include the samples of each series. */
  readonly wantsSeries: boolean;
}

/** A moment of the common load, by one clock. */
export interface LiveMoment {
  /** Counted from the end of the warm-up; negative in the warm-up. */
  readonly second: number;
  readonly nowMs: number;
  readonly startedAtMs: number;
}

/** The progress of a run on several machines, as if it were on one. */
export class LiveMerge {
  readonly #merge: RunMerge;
  readonly #plan: RecordedPlan;
  readonly #progress: RunProgress;
  readonly #thresholds: readonly ValidatedThreshold[];
  readonly #span: StartTimeEstimate;

  constructor(heads: ShardHeads, { allowsPartial, wantsSeries }: LiveMergeOptions) {
    const merge = new RunMerge(heads, allowsPartial);
    const { collector, head } = merge;
    if (wantsSeries) collector.gathered = new SeriesGatherer();
    this.#merge = merge;
    this.#plan = heads[0].plan;
    this.#thresholds = head.thresholds.map(({ threshold }) => threshold);
    this.#span = new StartTimeEstimate(pacingsOf(this.#plan));
    this.#progress = new RunProgress({
      plan: this.#plan,
      shard: null,
      thresholds: this.#thresholds,
      collector,
      usedByProcess: () => null,
      hide: asMasked,
    });
  }

  /** The description of the whole run. */
  get head(): RecordedRun {
    return this.#merge.head;
  }

  get warmupMs(): number {
    return this.#plan.warmupMs;
  }

  /** Adds the next moment of a shard. `index` is the position of its head. */
  add(index: number, moment: RecordedMoment): void {
    this.#merge.add(index, moment);
  }

  /** Called when nothing more will come from a shard. */
  end(index: number): void {
    this.#merge.end(index);
  }

  /** Returns the progress at the end of a second, as far as the shards have reported it. */
  at(moment: LiveMoment): IntervalSnapshot {
    const { second, nowMs, startedAtMs } = moment;
    const load = this.#load(startedAtMs);
    // Sums by second wait for the slowest shard; here its latest count is used instead.
    const { vus } = this.#merge.gauges;
    return { ...this.#progress.at(second, { nowMs, elapsedMs: nowMs - startedAtMs }, load), vus };
  }

  /** Returns the threshold that ends the run after this second, if any. */
  findAbortingThreshold({ second, nowMs, startedAtMs }: LiveMoment): ValidatedThreshold | undefined {
    const { collector } = this.#merge;
    const { workers, counts } = this.#load(startedAtMs);
    this.#span.observe(nowMs - startedAtMs, counts.measured.iterations.scheduled);
    const elapsedMs = nowMs - startedAtMs - this.warmupMs;
    const secondsOver = second + 1;
    if (secondsOver < 1) return undefined;
    const fullUntilMs = this.#span.untilMs(Number.POSITIVE_INFINITY) - this.warmupMs;
    collector.advanceWindows(secondsOver, workers, fullUntilMs);
    return findAbortingThreshold(this.#thresholds, collector, elapsedMs);
  }

  #load(startedAtMs: number): RunningLoad {
    return { startedAtMs, ...mergeProgress(this.#merge.latest, this.#plan.scenarios.length) };
  }
}
