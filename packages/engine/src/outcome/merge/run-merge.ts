import { sumBy } from "@bearhug/metrics/sum";
import type { TestResult } from "@bearhug/sdk";

import type { LoadGauges } from "../account.ts";
import { Collector, replay } from "../collect.ts";
import { composeResult } from "../compose-result.ts";
import { keyOf } from "../rebuild-run.ts";
import type {
  CollectorInput,
  Damage,
  RecordedMoment,
  RecordedPlace,
  RecordedProgress,
  RecordedRun,
} from "../run-record.ts";
import { initialState, type RunState } from "../run-state.ts";
import { describeMoment } from "../verdict/cut-short.ts";
import { formatLateness } from "../verdict/shards.ts";
import type { Gap } from "./check-parts.ts";
import type { LatestOfPart } from "./merge-progress.ts";
import { mergeStates, type EndedPart } from "./merge-states.ts";
import { MergedGauges } from "./merged-gauges.ts";
import type { ShardHead } from "./part.ts";

/** A part, with its latest report. */
interface MergedPart {
  readonly head: ShardHead;
  /** The number of its first worker in the merged run. */
  readonly firstWorker: number;
  /** The latest reported second; -1 before the first. */
  second: number;
  state: RunState;
  progress: RecordedProgress | null;
  isTruncated: boolean;
  damage: Damage | null;
}

export type ShardHeads = readonly [ShardHead, ...ShardHead[]];

/**
 * Merges the reports of a run's shards, as if one machine had applied the load. Each shard's moments arrive
 * in order, but shards may be ahead of each other without changing the result.
 */
export class RunMerge {
  /** The description of the whole run. */
  readonly head: RecordedRun;
  readonly collector: Collector;
  readonly #parts: readonly MergedPart[];
  readonly #first: ShardHead;
  readonly #gauges: MergedGauges;
  readonly #places = new Map<string, RecordedPlace>();

  /** @param heads ordered by shard */
  constructor(heads: ShardHeads, allowsPartial: boolean) {
    [this.#first] = heads;
    this.head = mergeHeads(heads, allowsPartial);
    this.collector = new Collector(this.head);
    this.#parts = openAll(heads);
    this.#gauges = new MergedGauges(heads.length, (second, sum) => this.collector.gauge(second, sum));
  }

  /** Adds the next moment of a part. `index` is the position of its head. */
  add(index: number, { inputs, places, state, progress, isEnd }: RecordedMoment): void {
    const part = this.#parts[index];
    if (part === undefined) return;
    for (const input of inputs) this.#addInput(index, part, input);
    for (const place of places) {
      const key = keyOf(place.position);
      if (!this.#places.has(key)) this.#places.set(key, place);
    }
    part.state = state;
    part.progress = progress ?? part.progress;
    part.isTruncated = !isEnd;
  }

  /** Called when nothing more will come from a part. */
  end(index: number, damage: Damage | null = null): void {
    this.#gauges.end(index);
    const part = this.#parts[index];
    if (part !== undefined) part.damage = damage;
  }

  /** Returns the latest second that a part has reported; -1 before the first. */
  secondOf(index: number): number {
    return this.#parts[index]?.second ?? -1;
  }

  /** The latest report of each part. */
  get latest(): readonly LatestOfPart[] {
    return this.#parts;
  }

  /** The sum of all parts' latest counts of virtual users and connections. */
  get gauges(): LoadGauges {
    return this.#gauges.latest;
  }

  /** Returns the state of the merged run, as far as the parts have reported it. */
  state(): RunState {
    return mergeStates(this.#endedParts());
  }

  /** Composes the result, once every part has ended. */
  result(gaps: readonly Gap[], isLed = false): TestResult {
    const losses = this.#parts.flatMap((part) => describeLoss(part, isLed));
    const result = composeResult({
      head: this.head,
      state: { ...this.state(), gaps: [...gaps.map(({ reason }) => reason), ...losses] },
      collector: this.collector,
      isTruncated: false,
      locate: (position) => this.#places.get(keyOf(position)) ?? null,
    });
    return { ...result, notes: [...result.notes, ...describeStarts(this.#first, this.#endedParts(), isLed)] };
  }

  #addInput(index: number, part: MergedPart, input: CollectorInput): void {
    if (input.kind === "gauges") {
      part.second = Math.max(part.second, input.second);
      this.#gauges.add(index, input.second, input.gauges);
    } else if (input.kind === "snapshot") {
      const { interval } = input.snapshot;
      part.second = Math.max(part.second, interval);
      this.#gauges.reach(index, interval);
      replay(this.collector, { ...input, workerId: part.firstWorker + input.workerId });
    } else replay(this.collector, input);
  }

  #endedParts(): EndedPart[] {
    return this.#parts.map(({ head: { run, plan, shard }, state, isTruncated, firstWorker }) => ({
      state,
      isTruncated,
      firstWorker,
      workers: plan.workers,
      shard: `shard ${shard.index + 1}`,
      allowsPartial: run.allowsPartial,
    }));
  }
}

function mergeHeads(heads: ShardHeads, allowsPartial: boolean): RecordedRun {
  const [first] = heads;
  const [beganAt = first.run.beganAt] = heads.map(({ run }) => run.beganAt).sort();
  return {
    ...first.run,
    beganAt,
    allowsPartial,
    shard: null,
    monitors: uniqueMonitors(heads.flatMap(({ run }) => run.monitors)),
    isStrictGenerator: heads.some(({ run }) => run.isStrictGenerator),
    plan: { ...first.plan, workers: sumBy(heads, ({ plan }) => plan.workers) },
  };
}

/** Returns each monitor once: machines that watch the same server use the same name. */
export function uniqueMonitors<Monitor extends { readonly name: string }>(
  all: readonly Monitor[],
): Monitor[] {
  return [...new Map(all.toReversed().map((monitor) => [monitor.name, monitor])).values()].reverse();
}

function openAll(heads: ShardHeads): MergedPart[] {
  let workers = 0;
  return heads.map((head) => {
    const firstWorker = workers;
    workers += head.plan.workers;
    return {
      head,
      firstWorker,
      second: -1,
      state: initialState,
      progress: null,
      isTruncated: true,
      damage: null,
    };
  });
}

/**
 * Describes when the records of a part without an end stop, and why. An incomplete copy looks like a killed
 * process.
 */
function describeLoss({ head, state, isTruncated, damage }: MergedPart, isLed: boolean): string[] {
  if (!isTruncated) return [];
  const { name, shard } = head;
  const number = `shard ${shard.index + 1} of ${shard.count}`;
  const when = describeMoment(state);
  if (isLed) return [`${name} (${number}) was lost ${when}: its connection broke and did not come back`];
  const why =
    damage === null
      ? `${name} ends there: its process was killed, or the copy is incomplete`
      : `${name} is damaged ${damage.where}`;
  return [`${number} was lost ${when}: ${why}`];
}

/** Describes the number of shards, and how far apart they began, by each machine's clock. */
function describeStarts({ shard }: ShardHead, ended: readonly EndedPart[], isLed: boolean): string[] {
  const isOne = ended.length === 1;
  const merged = `merged from ${ended.length} ${isOne ? "shard" : "shards"}`;
  if (shard.startAt !== null || isLed) {
    const [latest] = [...ended].sort((left, right) => right.state.lateMs - left.state.lateMs);
    if (latest === undefined || latest.state.lateMs === 0)
      return [
        isLed
          ? merged
          : `${merged}, which began at ${shard.startAt} by ${isOne ? "its own clock" : "their own clocks"}`,
      ];
    const lateness = `${formatLateness(latest.state.lateMs)} late`;
    return [
      isOne
        ? `${merged}, which began ${lateness}`
        : `${merged}, of which ${latest.shard} began last, ${lateness}`,
    ];
  }
  if (isOne) return [merged];
  const starts = ended.flatMap(({ state }) =>
    state.startedAt === null ? [] : [Date.parse(state.startedAt)],
  );
  const apartMs = starts.length === 0 ? 0 : Math.max(...starts) - Math.min(...starts);
  return [
    `${merged}, which began ${formatLateness(apartMs)} apart by their own clocks: set --start-at for one start`,
  ];
}
