import { describeTest } from "@bearhug/engine/outcome/describe-run";
import { checkParts } from "@bearhug/engine/outcome/merge/check-parts";
import { LiveMerge, type LiveMoment } from "@bearhug/engine/outcome/merge/live-merge";
import type { PartHead } from "@bearhug/engine/outcome/merge/part";
import type { RecordedMoment, RecordedRun } from "@bearhug/engine/outcome/run-record";
import type { RunObserver } from "@bearhug/engine/run/run-request";
import type { Clock } from "@bearhug/plan/pacing/clock";

export interface WatchedShards {
  readonly clock: Clock;
  readonly observer: RunObserver;
  readonly agents: number;
  readonly allowsPartial: boolean;
  /** Returns the names of agents that are currently silent or lost. */
  readonly missing: () => readonly string[];
  /** Called once if a threshold with `abortOnFail` fails: the load of all agents must be cut off. */
  readonly onAbort: (threshold: string) => void;
}

/** The next moment of a shard, or null for its end. */
interface ShardUpdate {
  readonly shard: number;
  readonly moment: RecordedMoment | null;
}

/** A merge in progress. */
interface OpenMerge {
  readonly merge: LiveMerge;
  /** Each shard's index in the merge. */
  readonly indexes: ReadonlyMap<number, number>;
}

/** How long after the end of a second its records have arrived from all agents. */
const settleMs = 1000;

/**
 * How long after the start to wait for agents that have not described their run, as after a restart of the
 * coordinator.
 */
const headTimeoutMs = 10_000;

/** Reports a run with agents as one run, once a second, and aborts it if a threshold requires that. */
export class ShardsWatch {
  readonly #watched: WatchedShards;
  readonly #heads = new Map<number, PartHead>();
  readonly #ended = new Set<number>();
  /** Updates that arrived before the merge was opened. */
  #pendingUpdates: ShardUpdate[] = [];
  /** The start by this process's clock; null before it is decided. */
  #startedAtMs: number | null = null;
  #open: OpenMerge | null = null;
  #second = 0;
  #hasAborted = false;
  #cancel: () => void = () => undefined;

  constructor(watched: WatchedShards) {
    this.#watched = watched;
  }

  /** Takes an agent's description of its run. Shards count from 0. */
  begin(shard: number, name: string, run: RecordedRun): void {
    this.#heads.set(shard, { name, run });
    this.#openIfKnown();
  }

  /** Takes the next moment of an agent's run, once and in order. */
  add(shard: number, moment: RecordedMoment): void {
    this.#handleUpdate({ shard, moment });
  }

  /** Notes that nothing more is expected of an agent. */
  end(shard: number): void {
    if (this.#ended.has(shard)) return;
    this.#ended.add(shard);
    this.#handleUpdate({ shard, moment: null });
    this.#openIfKnown();
    if (this.#ended.size === this.#watched.agents) this.stop();
  }

  /** @param startAtMs the common start by this machine's time of day, in milliseconds since 1970 */
  start(startAtMs: number): void {
    if (this.#startedAtMs !== null) return;
    const { clock } = this.#watched;
    this.#startedAtMs = clock.now() + startAtMs - clock.date().getTime();
    this.#cancel = clock.at(Math.max(clock.now(), this.#startedAtMs) + headTimeoutMs, () =>
      this.#openMerge(),
    );
    this.#openIfKnown();
  }

  /** Ends the watch, and reports the samples since the last progress. */
  stop(): void {
    this.#cancel();
    const { observer } = this.#watched;
    const open = this.#open;
    if (open === null) return;
    this.#open = null;
    if (observer.wantsSeries === true) observer.onFinalSeries?.(this.#snapshot(open));
  }

  #handleUpdate(update: ShardUpdate): void {
    if (this.#open === null) this.#pendingUpdates.push(update);
    else apply(this.#open, update);
  }

  /** Opens the merge after the start, as soon as every shard has described its run or ended. */
  #openIfKnown(): void {
    const known = new Set([...this.#heads.keys(), ...this.#ended]);
    if (this.#startedAtMs !== null && known.size === this.#watched.agents) this.#openMerge();
  }

  #openMerge(): void {
    if (this.#open !== null) return;
    const { allowsPartial, observer } = this.#watched;
    const [first, ...others] = checkParts([...this.#heads.values()]).parts;
    if (first === undefined) return;
    const { wantsSeries = false } = observer;
    const merge = new LiveMerge([first, ...others], { allowsPartial, wantsSeries });
    const indexes = new Map([first, ...others].map(({ shard }, index) => [shard.index, index]));
    this.#open = { merge, indexes };
    for (const update of this.#pendingUpdates) apply(this.#open, update);
    this.#pendingUpdates = [];
    observer.onStart?.(describeTest(merge.head));
    this.#second = this.#firstSecond(merge);
    this.#arm(this.#open);
  }

  /** Returns the first second to report: that of the warm-up, or the current one if the run began earlier. */
  #firstSecond({ warmupMs }: LiveMerge): number {
    const atMs = this.#watched.clock.now() - settleMs - this.#measuredFromMs(warmupMs);
    return Math.max(-Math.floor(warmupMs / 1000), Math.floor(atMs / 1000));
  }

  #measuredFromMs(warmupMs: number): number {
    return (this.#startedAtMs ?? 0) + warmupMs;
  }

  #arm(open: OpenMerge): void {
    const dueMs = this.#measuredFromMs(open.merge.warmupMs) + (this.#second + 1) * 1000 + settleMs;
    this.#cancel();
    this.#cancel = this.#watched.clock.at(dueMs, () => this.#tick(open));
  }

  #tick(open: OpenMerge): void {
    const { observer, onAbort } = this.#watched;
    observer.onProgress?.(this.#snapshot(open));
    const failed = open.merge.findAbortingThreshold(this.#moment());
    if (failed !== undefined && !this.#hasAborted) {
      this.#hasAborted = true;
      const threshold = `${failed.metric}: ${failed.expression}`;
      observer.onWarning(`threshold ${threshold} failed and ends the run early`);
      onAbort(threshold);
    }
    this.#second++;
    this.#arm(open);
  }

  #moment(): LiveMoment {
    const { clock } = this.#watched;
    return { second: this.#second, nowMs: clock.now(), startedAtMs: this.#startedAtMs ?? 0 };
  }

  #snapshot({ merge }: OpenMerge): ReturnType<LiveMerge["at"]> {
    const missingAgents = this.#watched.missing();
    const snapshot = merge.at(this.#moment());
    return missingAgents.length === 0 ? snapshot : { ...snapshot, missingAgents };
  }
}

/**
 * Adds an update to the merge. Shards that had not described their run when it was opened are only in the
 * final result.
 */
function apply({ merge, indexes }: OpenMerge, { shard, moment }: ShardUpdate): void {
  const index = indexes.get(shard);
  if (index === undefined) return;
  if (moment === null) merge.end(index);
  else merge.add(index, moment);
}
