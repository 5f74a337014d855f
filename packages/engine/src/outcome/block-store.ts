import {
  accumulatorFor,
  mergeDelta,
  sumDeltas,
  type Accumulator,
  type MetricDelta,
} from "@bearhug/metrics/accumulator";
import { getOrAdd } from "@bearhug/metrics/get-or-add";
import type { TaggedDeltas } from "@bearhug/metrics/snapshot";
import { sumBy } from "@bearhug/metrics/sum";
import { keyOfKept, type Tags } from "@bearhug/metrics/tags";
import { sampleCount } from "@bearhug/metrics/thresholds/threshold-language";
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

/** The blocks of a result by the key of the series' tags, and by metric. */
export type SeriesBlocks = ReadonlyMap<string, ReadonlyMap<string, readonly SeriesBlock[]>>;

/** The samples of leaf series in at most 30 equal blocks of time, which comparisons of results use. */
export class BlockStore {
  readonly #metrics: ReadonlySet<string>;
  readonly #maxCharacters: number;
  /** By the key of the tags, and by metric. */
  readonly #series = new Map<string, Map<string, BlockedSeries>>();
  #seconds = 1;

  /** `maxCharacters` limits the text of all blocks of a result together. */
  constructor(metrics: ReadonlySet<string>, maxCharacters = 1_200_000) {
    this.#metrics = metrics;
    this.#maxCharacters = maxCharacters;
  }

  /** Adds the samples of one second of the run. */
  add(second: number, series: readonly TaggedDeltas[]): void {
    while (Math.floor(second / this.#seconds) >= maxBlocks) this.#widen();
    const block = Math.floor(second / this.#seconds);
    for (const { tags, metrics } of series) {
      let ofTags: Map<string, BlockedSeries> | null = null;
      for (const metric of this.#metrics) {
        const delta = metrics[metric];
        if (delta === undefined || delta.type === "gauge") continue;
        ofTags ??= this.#ofTags(tags);
        const one = getOrAdd(ofTags, metric, () => ({ metric, tags, blocks: [] }));
        addTo(one, block, delta);
      }
    }
  }

  /** Returns the blocks of the series that the result keeps. */
  result(): { readonly blockMs: number; readonly series: SeriesBlocks } {
    const all = this.#all();
    const names = busiestNames(all);
    let kept = all.filter(({ tags }) => tags["name"] === undefined || names.has(tags["name"]));
    let seconds = this.#seconds;
    let encoded = encodeAll(kept);
    while (sizeOf(encoded) > this.#maxCharacters && blockCount(encoded) > minBlocks) {
      kept = kept.map((one) => ({ ...one, blocks: joinPairs(one.blocks) }));
      seconds *= 2;
      encoded = encodeAll(kept);
    }
    return { blockMs: seconds * secondMs, series: fitting(encoded, this.#maxCharacters) };
  }

  #all(): BlockedSeries[] {
    return [...this.#series.values()].flatMap((ofTags) => [...ofTags.values()]);
  }

  #ofTags(tags: Tags): Map<string, BlockedSeries> {
    return getOrAdd(this.#series, keyOfKept(tags), () => new Map<string, BlockedSeries>());
  }

  #widen(): void {
    this.#seconds *= 2;
    for (const series of this.#all()) series.blocks = joinPairs(series.blocks);
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

/** Adds samples to a block. Its trends keep two digits, which takes a third of the space of three. */
function addTo({ blocks }: BlockedSeries, block: number, delta: MetricDelta): void {
  const accumulator = (blocks[block] ??= delta.type === "trend" ? new Trend(2) : accumulatorFor(delta));
  mergeDelta(accumulator, delta);
}

function joinPairs(blocks: readonly (Accumulator | undefined)[]): (Accumulator | undefined)[] {
  return Array.from({ length: Math.ceil(blocks.length / 2) }, (_, pair) => {
    const [one, other] = [blocks[pair * 2], blocks[pair * 2 + 1]];
    return one === undefined || other === undefined ? (one ?? other) : sumDeltas([one, other]);
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
  return sumBy(blocks, (block) => (block === undefined ? 0 : sampleCount(block)));
}

interface EncodedSeries extends Omit<BlockedSeries, "blocks"> {
  readonly samples: number;
  readonly blocks: readonly SeriesBlock[];
}

function encodeAll(series: readonly BlockedSeries[]): EncodedSeries[] {
  return series.map((one) => ({
    ...one,
    samples: samplesOf(one),
    blocks: Array.from(one.blocks, encodeBlock),
  }));
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

function blockCount(series: readonly EncodedSeries[]): number {
  return Math.max(0, ...series.map(({ blocks }) => blocks.length));
}

function sizeOf(series: readonly EncodedSeries[]): number {
  return sumBy(series, ({ blocks }) => sizeOfBlocks(blocks));
}

/** Estimates the size of blocks in an indented document, in which each block takes a line. */
function sizeOfBlocks(blocks: readonly SeriesBlock[]): number {
  const lineCharacters = 16;
  return sumBy(
    blocks,
    (block) => (typeof block === "string" ? block.length : 2 * lineCharacters) + lineCharacters,
  );
}

/** Leaves out the series with the fewest samples if all of them would take too much space. */
function fitting(series: readonly EncodedSeries[], maxCharacters: number): SeriesBlocks {
  const busiestFirst = series.toSorted((one, other) => other.samples - one.samples);
  const kept = new Map<string, Map<string, readonly SeriesBlock[]>>();
  let room = maxCharacters;
  for (const { metric, tags, blocks } of busiestFirst) {
    room -= sizeOfBlocks(blocks);
    if (room < 0) break;
    getOrAdd(kept, keyOfKept(tags), () => new Map<string, readonly SeriesBlock[]>()).set(metric, blocks);
  }
  return kept;
}
