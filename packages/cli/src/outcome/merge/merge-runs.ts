import type { TestResult } from "@bearhug/sdk";

import type { Collector } from "../collect.ts";
import { composeResult } from "../compose-result.ts";
import { createCollector } from "../create-collector.ts";
import { keyOf } from "../rebuild-run.ts";
import type { CollectorInput, RecordedMoment, RecordedPlace, RecordedRun } from "../run-record.ts";
import { initialState, type RunState } from "../run-state.ts";
import { formatLateness } from "../verdict/shards.ts";
import type { ShardPart } from "./check-parts.ts";
import { mergeStates, type EndedPart } from "./merge-states.ts";
import { MergedGauges } from "./merged-gauges.ts";

/**
 * Makes one result of the recordings of all shards, as if one machine had applied the load. Reads them side by side, second
 * by second, so that memory depends neither on their length nor on their number of samples.
 * @param notes told with the verdict
 */
export async function mergeRuns(
  [first, ...others]: readonly [ShardPart, ...ShardPart[]],
  { allowsPartial, notes }: { readonly allowsPartial: boolean; readonly notes: readonly string[] },
): Promise<TestResult> {
  const parts = [first, ...others];
  const head = mergeHeads(first, parts, allowsPartial);
  const collector = createCollector(head);
  const places = new Map<string, RecordedPlace>();
  const ended = await replayAll(parts, collector, places);
  const result = composeResult({
    head,
    state: mergeStates(ended),
    collector,
    isTruncated: false,
    locate: (position) => places.get(keyOf(position)) ?? null,
  });
  return { ...result, notes: [...result.notes, ...notes, ...describeStarts(first, ended)] };
}

function mergeHeads(first: ShardPart, parts: readonly ShardPart[], allowsPartial: boolean): RecordedRun {
  const [beganAt = first.run.beganAt] = parts.map(({ run }) => run.beganAt).sort();
  return {
    ...first.run,
    ...{ beganAt, allowsPartial, shard: null },
    isStrictGenerator: parts.some(({ run }) => run.isStrictGenerator),
    plan: { ...first.plan, workers: parts.reduce((sum, { plan }) => sum + plan.workers, 0) },
  };
}

/** A part that is being read. */
interface Reading {
  readonly index: number;
  readonly part: ShardPart;
  readonly firstWorker: number;
  readonly moments: AsyncIterator<RecordedMoment>;
  /** The latest second that it told of. */
  second: number;
  state: RunState;
  isTruncated: boolean;
  isOver: boolean;
}

async function replayAll(
  parts: readonly ShardPart[],
  collector: Collector,
  places: Map<string, RecordedPlace>,
): Promise<EndedPart[]> {
  const gauges = new MergedGauges(parts.length);
  const readings = openAll(parts);
  const tell = (second: number, sum: Parameters<Collector["gauge"]>[1]): void => {
    collector.gauge(second, sum);
  };
  for (let next = furthestBehind(readings); next !== null; next = furthestBehind(readings)) {
    gauges.drain(next.second, tell);
    const step = await next.moments.next();
    if (step.done === true) {
      next.isOver = true;
      gauges.end(next.index);
      continue;
    }
    const { inputs, places: met, state, isEnd } = step.value;
    for (const input of inputs) replayInput(input, next, collector, gauges);
    for (const place of met) {
      const key = keyOf(place.position);
      if (!places.has(key)) places.set(key, place);
    }
    next.state = state;
    next.isTruncated = !isEnd;
  }
  gauges.drain(Number.POSITIVE_INFINITY, tell);
  return readings.map(({ part, state, isTruncated, firstWorker }) => ({
    ...{ state, isTruncated, firstWorker },
    workers: part.plan.workers,
    shard: `shard ${part.shard.index + 1}`,
    allowsPartial: part.run.allowsPartial,
  }));
}

function openAll(parts: readonly ShardPart[]): Reading[] {
  let workers = 0;
  return parts.map((part, index) => {
    const firstWorker = workers;
    workers += part.plan.workers;
    const moments = part.moments[Symbol.asyncIterator]();
    return {
      ...{ index, part, firstWorker, moments },
      ...{ second: -1, state: initialState, isTruncated: true, isOver: false },
    };
  });
}

/** The part to read next, so that none is far ahead of the others; null when all are read. */
function furthestBehind(readings: readonly Reading[]): Reading | null {
  return readings.reduce<Reading | null>(
    (behind, one) => (!one.isOver && (behind === null || one.second < behind.second) ? one : behind),
    null,
  );
}

function replayInput(
  input: CollectorInput,
  reading: Reading,
  collector: Collector,
  gauges: MergedGauges,
): void {
  if (input.kind === "gauges") {
    reading.second = Math.max(reading.second, input.second);
    gauges.add(reading.index, input.second, input.gauges);
    return;
  }
  reading.second = Math.max(reading.second, input.snapshot.interval);
  collector.add(reading.firstWorker + input.workerId, input.snapshot);
}

/** Tells how far apart the shards began, by the clock of each machine. */
function describeStarts({ shard }: ShardPart, ended: readonly EndedPart[]): string[] {
  const merged = `merged from ${ended.length} ${ended.length === 1 ? "shard" : "shards"}`;
  if (shard.startAt !== null) {
    const [latest] = [...ended].sort((left, right) => right.state.lateMs - left.state.lateMs);
    if (latest === undefined || latest.state.lateMs === 0)
      return [`${merged}, which began at ${shard.startAt} by their own clocks`];
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
