import type { TestResult } from "@bearhug/sdk";

import type { LoadGauges } from "../account.ts";
import type { Collector } from "../collect.ts";
import { composeResult } from "../compose-result.ts";
import { createCollector } from "../create-collector.ts";
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

/** A part, as far as it has told. */
interface ToldPart {
  readonly head: ShardHead;
  /** Number in the merged run of the first of its workers. */
  readonly firstWorker: number;
  /** The latest second that it told of; -1 before the first. */
  second: number;
  state: RunState;
  progress: RecordedProgress | null;
  isTruncated: boolean;
  damage: Damage | null;
}

export type ShardHeads = readonly [ShardHead, ...ShardHead[]];

/**
 * Merges what the shards of a run tell, as if one machine had applied the load. Each shard tells its own moments in their
 * order; whichever shard is ahead of the others, the same samples are added up.
 */
export class RunMerge {
  /** The run that all of them are. */
  readonly head: RecordedRun;
  readonly collector: Collector;
  readonly #parts: readonly ToldPart[];
  readonly #first: ShardHead;
  readonly #gauges: MergedGauges;
  readonly #places = new Map<string, RecordedPlace>();

  /** @param heads in the order of their shards */
  constructor(heads: ShardHeads, allowsPartial: boolean) {
    [this.#first] = heads;
    this.head = mergeHeads(heads, allowsPartial);
    this.collector = createCollector(this.head);
    this.#parts = openAll(heads);
    this.#gauges = new MergedGauges(heads.length, (second, sum) => {
      this.collector.gauge(second, sum);
    });
  }

  /** Adds the next moment of a part; parts are numbered as their heads were given. */
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

  /** Nothing more comes of a part. */
  end(index: number, damage: Damage | null = null): void {
    this.#gauges.end(index);
    const part = this.#parts[index];
    if (part !== undefined) part.damage = damage;
  }

  /** The latest second that a part told of; -1 before the first. */
  secondOf(index: number): number {
    return this.#parts[index]?.second ?? -1;
  }

  /** The last state that each part told. */
  get latest(): readonly LatestOfPart[] {
    return this.#parts;
  }

  /** The latest counts of virtual users and connections, of all parts together. */
  get gauges(): LoadGauges {
    return this.#gauges.latest;
  }

  /** The state of the merged run, as far as the parts have told. */
  state(): RunState {
    return mergeStates(this.#told());
  }

  /** The result, once every part has ended. */
  result(gaps: readonly Gap[], isLed = false): TestResult {
    const losses = this.#parts.flatMap((part) => describeLoss(part, isLed));
    const result = composeResult({
      head: this.head,
      state: { ...this.state(), gaps: [...gaps.map(({ reason }) => reason), ...losses] },
      collector: this.collector,
      isTruncated: false,
      locate: (position) => this.#places.get(keyOf(position)) ?? null,
    });
    return { ...result, notes: [...result.notes, ...describeStarts(this.#first, this.#told(), isLed)] };
  }

  #addInput(index: number, part: ToldPart, input: CollectorInput): void {
    if (input.kind === "gauges") {
      part.second = Math.max(part.second, input.second);
      this.#gauges.add(index, input.second, input.gauges);
      return;
    }
    if (input.kind === "monitor") {
      this.collector.monitor(input.report);
      return;
    }
    const { interval } = input.snapshot;
    part.second = Math.max(part.second, interval);
    this.#gauges.reach(index, interval);
    this.collector.add(part.firstWorker + input.workerId, input.snapshot);
  }

  #told(): EndedPart[] {
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
    monitors: uniqueMonitors(heads),
    isStrictGenerator: heads.some(({ run }) => run.isStrictGenerator),
    plan: { ...first.plan, workers: heads.reduce((sum, { plan }) => sum + plan.workers, 0) },
  };
}

/** Shards that watch the same server name the same monitor: it is one. */
function uniqueMonitors(heads: ShardHeads): RecordedRun["monitors"] {
  const all = heads.flatMap(({ run }) => run.monitors).reverse();
  return [...new Map(all.map((monitor) => [monitor.name, monitor])).values()].reverse();
}

function openAll(heads: ShardHeads): ToldPart[] {
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

/** Says up to when a part without an end is known, and why: an incomplete copy looks as a killed process does. */
function describeLoss({ head, state, isTruncated, damage }: ToldPart, isLed: boolean): string[] {
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

/** Tells how far apart the shards began, by the clock of each machine. */
function describeStarts({ shard }: ShardHead, ended: readonly EndedPart[], isLed: boolean): string[] {
  const merged = `merged from ${ended.length} ${ended.length === 1 ? "shard" : "shards"}`;
  if (shard.startAt !== null || isLed) {
    const [latest] = [...ended].sort((left, right) => right.state.lateMs - left.state.lateMs);
    if (latest === undefined || latest.state.lateMs === 0)
      return [isLed ? merged : `${merged}, which began at ${shard.startAt} by their own clocks`];
    return [`${merged}, of which ${latest.shard} began last, ${formatLateness(latest.state.lateMs)} late`];
  }
  const starts = ended.flatMap(({ state }) =>
    state.startedAt === null ? [] : [Date.parse(state.startedAt)],
  );
  const apartMs = starts.length === 0 ? 0 : Math.max(...starts) - Math.min(...starts);
  return [
    `${merged}, which began ${formatLateness(apartMs)} apart by their own clocks: set --start-at for one start`,
  ];
}
