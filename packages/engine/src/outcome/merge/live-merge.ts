import { findAbortingThreshold } from "@bearhug/metrics/thresholds/abort";
import { StartSpan } from "@bearhug/plan/executors/start-span";
import type { IntervalSnapshot } from "@bearhug/sdk";
import type { ValidatedThreshold } from "@bearhug/sdk/internal";
import { asMasked } from "@bearhug/text/masked-text";

import { SeriesGatherer } from "../gather-series.ts";
import { RunProgress, type ProgressPlan, type RunningLoad } from "../progress.ts";
import type { RecordedMoment, RecordedPlan, RecordedRun } from "../run-record.ts";
import { mergeProgress } from "./merge-progress.ts";
import { RunMerge, type ShardHeads } from "./run-merge.ts";

export interface LiveMergeOptions {
  readonly allowsPartial: boolean;
  /** Snapshots have the samples of each series. */
  readonly wantsSeries: boolean;
}

/** A moment of the common load, by one clock. */
export interface LiveMoment {
  /** Seconds are counted from the end of the warm-up; below 0 in it. */
  readonly second: number;
  readonly nowMs: number;
  readonly startedAtMs: number;
}

/** Windows wait so long for a shard that tells nothing; what it tells later counts then. */
const patienceSeconds = 5;

/** The progress of a run that several machines share, as one run has it. */
export class LiveMerge {
  readonly #merge: RunMerge;
  readonly #plan: ProgressPlan;
  readonly #progress: RunProgress;
  readonly #thresholds: readonly ValidatedThreshold[];
  readonly #span: StartSpan;

  constructor(heads: ShardHeads, { allowsPartial, wantsSeries }: LiveMergeOptions) {
    const merge = new RunMerge(heads, allowsPartial);
    const { collector, head } = merge;
    if (wantsSeries) collector.gathered = new SeriesGatherer();
    this.#merge = merge;
    this.#plan = progressPlan(heads[0].plan);
    this.#thresholds = head.thresholds.map(({ threshold }) => threshold);
    this.#span = new StartSpan(this.#plan.scenarios.map(({ scenario }) => scenario));
    this.#progress = new RunProgress({
      plan: this.#plan,
      thresholds: this.#thresholds,
      collector,
      usedByProcess: () => null,
      hide: asMasked,
    });
  }

  /** The run that all shards are. */
  get head(): RecordedRun {
    return this.#merge.head;
  }

  get warmupMs(): number {
    return this.#plan.warmupMs;
  }

  /** Adds the next moment of a shard; shards are numbered as their heads were given. */
  add(index: number, moment: RecordedMoment): void {
    this.#merge.add(index, moment);
  }

  /** Nothing more comes of a shard. */
  end(index: number): void {
    this.#merge.end(index);
  }

  /** The run at the end of a second, as far as the shards have told. */
  at(moment: LiveMoment): IntervalSnapshot {
    const { second, nowMs, startedAtMs } = moment;
    const load = this.#load(startedAtMs);
    // A shard that tells nothing holds up sums second by second; its latest count stands here for the present one.
    const { vus } = this.#merge.gauges;
    return { ...this.#progress.at(second, { nowMs, elapsedMs: nowMs - startedAtMs }, load), vus };
  }

  /** Returns the threshold that ends the run, if one does after this second. */
  findAbortingThreshold({ second, nowMs, startedAtMs }: LiveMoment): ValidatedThreshold | undefined {
    const { collector } = this.#merge;
    const { workers, counts } = this.#load(startedAtMs);
    this.#span.look(nowMs - startedAtMs, counts.measured.iterations.scheduled);
    const elapsedMs = nowMs - startedAtMs - this.warmupMs;
    const secondsOver = second + 1;
    if (secondsOver < 1) return undefined;
    const running = workers.filter(({ isRunning }) => isRunning).map(({ id }) => id);
    const told = Math.min(secondsOver, collector.secondsReported(running));
    const fullUntilMs = this.#span.untilMs(Number.POSITIVE_INFINITY) - this.warmupMs;
    collector.windows.advance(Math.max(secondsOver - patienceSeconds, told), fullUntilMs);
    return findAbortingThreshold(this.#thresholds, collector, elapsedMs);
  }

  #load(startedAtMs: number): RunningLoad {
    return { startedAtMs, ...mergeProgress(this.#merge.latest, this.#plan.scenarios.length) };
  }
}

function progressPlan(plan: RecordedPlan): ProgressPlan {
  const { warmupMs, clients, metrics, allowHosts, variants, seed } = plan;
  return {
    warmupMs,
    clients,
    metrics,
    allowHosts,
    scenarios: plan.scenarios.flatMap(({ scenario: { name }, pacing }) =>
      pacing === undefined ? [] : [{ scenario: { ...pacing, name } }],
    ),
    ...(variants && {
      variants: {
        rule: { ...variants, seed, variants: variants.names.length },
        variants: variants.names.map((name) => ({ name })),
      },
    }),
  };
}
