import {
  accumulatorFor,
  mergeDelta,
  sumDeltas,
  type Accumulator,
  type MetricDelta,
} from "@bearhug/metrics/accumulator";
import { sumBy } from "@bearhug/metrics/sum";
import { tagsKey, type Tags } from "@bearhug/metrics/tags";
import type { ValidatedThreshold } from "@bearhug/metrics/thresholds/read-threshold";
import { Trend } from "@bearhug/metrics/trend";
import type { DescribedClient } from "@bearhug/plan/clients/client-kind";
import type { SeriesBlock } from "@bearhug/sdk/result";

const secondMs = 1000;
const maxBlocks = 30;
/** The least number of blocks that shows how much they vary. */
const minBlocks = 8;
/** The number of names, those with the most requests, that are compared individually. */
const maxNames = 100;

/** One metric of one series, in equal blocks of time. A block without samples has no accumulator. */
interface BlockedSeries {
  readonly metric: string;
  readonly tags: Tags;
  blocks: (Accumulator | undefined)[];
}

/** The samples of leaf series in at most 30 equal blocks of time, which comparisons of results use. */
export class BlockStore {
  readonly #metrics: ReadonlySet<string>;
  readonly #maxCharacters: number;
  readonly #series = new Map<string, BlockedSeries>();
  #seconds = 1;

  /** `maxCharacters` limits the text of all blocks of a result together. */
  constructor(metrics: ReadonlySet<string>, maxCharacters = 1_200_000) {
    this.#metrics = metrics;
    this.#maxCharacters = maxCharacters;
  }

  /** Adds the samples of one second of the run. */
  add(
    second: number,
    series: readonly { readonly tags: Tags; readonly metrics: Readonly<Record<string, MetricDelta>> }[],
  ): void {
    while (Math.floor(second / this.#seconds) >= maxBlocks) this.#widen();
    const block = Math.floor(second / this.#seconds);
    for (const { tags, metrics } of series)
      for (const metric of this.#metrics) {
        const delta = metrics[metric];
        if (delta !== undefined && delta.type !== "gauge") addTo(this.#of(metric, tags), block, delta);
      }
  }

  /** Returns the blocks of the series that the result keeps, by {@link blockKey}. */
  result(): { readonly blockMs: number; readonly series: ReadonlyMap<string, readonly SeriesBlock[]> } {
    const names = busiestNames([...this.#series.values()]);
    let kept = [...this.#series].filter(
      ([, { tags }]) => tags["name"] === undefined || names.has(tags["name"]),
    );
    let seconds = this.#seconds;
    let series = encodeAll(kept);
    while (sizeOf(series) > this.#maxCharacters && blockCount(series) > minBlocks) {
      kept = kept.map(([key, one]) => [key, { ...one, blocks: joinPairs(one.blocks) }] as const);
      seconds *= 2;
      series = encodeAll(kept);
    }
    return { blockMs: seconds * secondMs, series: fitting(series, kept, this.#maxCharacters) };
  }

  #of(metric: string, tags: Tags): BlockedSeries {
    const key = blockKey(metric, tags);
    const known = this.#series.get(key);
    if (known !== undefined) return known;
    const series: BlockedSeries = { metric, tags, blocks: [] };
    this.#series.set(key, series);
    return series;
  }

  #widen(): void {
    this.#seconds *= 2;
    for (const series of this.#series.values()) series.blocks = joinPairs(series.blocks);
  }
}

/**
 * Returns the metrics whose blocks are kept: times and failures of operations, failures of checks and
 * iterations, and metrics that thresholds judge.
 */
export function blockedMetrics(
  clients: readonly DescribedClient[],
  thresholds: readonly Pick<ValidatedThreshold, "selector">[],
): ReadonlySet<string> {
  const roles = clients.flatMap(({ roles: { duration, responseTime, failed } }) => [
    duration,
    responseTime,
    failed,
  ]);
  return new Set([
    ...roles,
    "checks",
    "iteration_failed",
    ...thresholds.map(({ selector }) => selector.metric),
  ]);
}

export function blockKey(metric: string, tags: Tags): string {
  const known = tagsKeys.get(tags);
  const key = known ?? tagsKey(tags);
  if (known === undefined) tagsKeys.set(tags, key);
  return `${metric} ${key}`;
}

/** A cache of the keys of series' tags, which are immutable: keys are needed each second for each metric. */
const tagsKeys = new WeakMap<Tags, string>();

/** Adds samples to a block. Its trends keep two digits, which takes a third of the space of three. */
function addTo({ blocks }: BlockedSeries, block: number, delta: MetricDelta): void {
  const accumulator = (blocks[block] ??= delta.type === "trend" ? new Trend(2) : accumulatorFor(delta));
  mergeDelta(accumulator, delta);
}

function joinPairs(blocks: readonly (Accumulator | undefined)[]): (Accumulator | undefined)[] {
  return Array.from({ length: Math.ceil(blocks.length / 2) }, (_, pair) => {
    const [one, other] = [blocks[pair * 2], blocks[pair * 2 + 1]];
    if (one === undefined || other === undefined) return one ?? other;
    return sumDeltas([one, other]);
  });
}

function busiestNames(series: readonly BlockedSeries[]): ReadonlySet<string> {
  const samples = new Map<string, number>();
  for (const one of series) {
    const { name } = one.tags;
    if (name !== undefined) samples.set(name, (samples.get(name) ?? 0) + samplesOf(one));
  }
  const busiest = [...samples].toSorted(([, one], [, other]) => other - one).slice(0, maxNames);
  return new Set(busiest.map(([name]) => name));
}

function samplesOf({ blocks }: BlockedSeries): number {
  return blocks.reduce((sum, block) => {
    if (block === undefined) return sum;
    return sum + (block.type === "trend" ? block.count : block.samples);
  }, 0);
}

function encodeAll(
  series: readonly (readonly [key: string, series: BlockedSeries])[],
): Map<string, readonly SeriesBlock[]> {
  return new Map(series.map(([key, { blocks }]) => [key, Array.from(blocks, encodeBlock)]));
}

function encodeBlock(block: Accumulator | undefined): SeriesBlock {
  switch (block?.type) {
    case "trend":
      return block.encode();
    case "rate":
      return [block.trues, block.samples];
    case "counter":
      return block.total;
    case "gauge":
    case undefined:
      return null;
  }
}

function blockCount(series: ReadonlyMap<string, readonly SeriesBlock[]>): number {
  return Math.max(0, ...[...series.values()].map((blocks) => blocks.length));
}

function sizeOf(series: ReadonlyMap<string, readonly SeriesBlock[]>): number {
  return sumBy(series.values(), sizeOfBlocks);
}

/** Estimates the size of blocks in an indented document, in which each block takes a line. */
function sizeOfBlocks(blocks: readonly SeriesBlock[]): number {
  const lineCharacters = 16;
  return blocks.reduce<number>(
    (sum, block) => sum + (typeof block === "string" ? block.length : 2 * lineCharacters) + lineCharacters,
    0,
  );
}

/** Leaves out the series with the fewest samples if all of them would take too much space. */
function fitting(
  series: ReadonlyMap<string, readonly SeriesBlock[]>,
  from: readonly (readonly [key: string, series: BlockedSeries])[],
  maxCharacters: number,
): ReadonlyMap<string, readonly SeriesBlock[]> {
  const busiestFirst = from.toSorted(([, one], [, other]) => samplesOf(other) - samplesOf(one));
  const kept = new Map<string, readonly SeriesBlock[]>();
  let room = maxCharacters;
  for (const [key] of busiestFirst) {
    const blocks = series.get(key) ?? [];
    room -= sizeOfBlocks(blocks);
    if (room < 0) break;
    kept.set(key, blocks);
  }
  return kept;
}
