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
  /** The number of shards. */
  readonly agents: number;
  readonly allowsPartial: boolean;
  /** Names of the agents that are silent or lost now. */
  readonly missing: () => readonly string[];
  /** Called once: a threshold with `abortOnFail` failed, so the load of all agents is to be cut off. */
  readonly onAbort: (reason: string) => void;
}

/** A moment of a shard; null for its end. */
interface Told {
  readonly shard: number;
  readonly moment: RecordedMoment | null;
}

/** A merge that goes on. */
interface OpenMerge {
  readonly merge: LiveMerge;
  /** The number in the merge of each shard. */
  readonly indexes: ReadonlyMap<number, number>;
}

/** A second's records have arrived from the agents by this long after its end. */
const settleMs = 1000;

/** After the start, agents that have not described their run are waited for so long: a coordinator may have begun anew. */
const headPatienceMs = 10_000;

/** Shows a run with agents as one run, once a second, and ends it where a threshold says so. */
export class ShardsWatch {
  readonly #watched: WatchedShards;
  readonly #heads = new Map<number, PartHead>();
  readonly #ended = new Set<number>();
  /** All that the shards told before the merge was opened. */
  #early: Told[] = [];
  /** By this process's clock; null before the start. */
  #startedAtMs: number | null = null;
  #open: OpenMerge | null = null;
  #second = 0;
  #hasAborted = false;
  #cancel: () => void = () => undefined;

  constructor(watched: WatchedShards) {
    this.#watched = watched;
  }

  /** An agent described its run. */
  begin(shard: number, name: string, run: RecordedRun): void {
    this.#heads.set(shard, { name, run });
    this.#openIfKnown();
  }

  /** An agent told the next moment of its run. */
  add(shard: number, moment: RecordedMoment): void {
    this.#tell({ shard, moment });
  }

  /** Nothing more comes of an agent. */
  end(shard: number): void {
    if (this.#ended.has(shard)) return;
    this.#ended.add(shard);
    this.#tell({ shard, moment: null });
    this.#openIfKnown();
    if (this.#ended.size === this.#watched.agents) this.stop();
  }

  /** @param startAtMs the common start, in milliseconds since 1970 */
  start(startAtMs: number): void {
    if (this.#startedAtMs !== null) return;
    const { clock } = this.#watched;
    this.#startedAtMs = clock.now() + startAtMs - clock.date().getTime();
    this.#cancel = clock.at(Math.max(clock.now(), this.#startedAtMs) + headPatienceMs, () => {
      this.#openMerge();
    });
    this.#openIfKnown();
  }

  /** Ends the watch, with the samples since the last progress. */
  stop(): void {
    this.#cancel();
    const { observer } = this.#watched;
    const open = this.#open;
    if (open === null) return;
    this.#open = null;
    if (observer.wantsSeries === true) observer.onRest?.(this.#snapshot(open));
  }

  #tell(told: Told): void {
    if (this.#open === null) this.#early.push(told);
    else apply(this.#open, told);
  }

  /** Opens the merge at the start, as soon as every shard is known or lost. */
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
    for (const told of this.#early) apply(this.#open, told);
    this.#early = [];
    observer.onStart?.(describeTest(merge.head));
    this.#second = this.#firstSecond(merge);
    this.#arm(this.#open);
  }

  /** The first second of the warm-up, or of what is left of a run that began earlier. */
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
    this.#cancel = this.#watched.clock.at(dueMs, () => {
      this.#tick(open);
    });
  }

  #tick(open: OpenMerge): void {
    const { observer, onAbort } = this.#watched;
    observer.onProgress?.(this.#snapshot(open));
    const failed = open.merge.findAbortingThreshold(this.#moment());
    if (failed !== undefined && !this.#hasAborted) {
      this.#hasAborted = true;
      observer.onWarning(`threshold ${failed.metric}: ${failed.expression} failed and ends the run early`);
      onAbort(`threshold ${failed.metric}: ${failed.expression}`);
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

/** Shards that described no run before the merge was opened are left to the final result. */
function apply({ merge, indexes }: OpenMerge, { shard, moment }: Told): void {
  const index = indexes.get(shard);
  if (index === undefined) return;
  if (moment === null) merge.end(index);
  else merge.add(index, moment);
}
