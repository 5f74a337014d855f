import { accumulatorFor, mergeDelta, type Accumulator, type MetricDelta } from "@bearhug/metrics/accumulator";
import { tagsKey, type Tags } from "@bearhug/metrics/tags";
import { Trend } from "@bearhug/metrics/trend";
import type { DescribedClient } from "@bearhug/plan/clients/client-kind";
import type { ValidatedThreshold } from "@bearhug/sdk/internal";
import type { SeriesBlock } from "@bearhug/sdk/result";

const secondMs = 1000;
const mostBlocks = 30;
/** Fewer blocks say too little about how much they vary. */
const fewestBlocks = 8;
/** Names with fewer requests are not compared on their own. */
const mostNames = 100;

/** One metric of one series, in equal blocks of time. Accumulators are missing where a block has no sample. */
interface BlockedSeries {
  readonly metric: string;
  readonly tags: Tags;
  blocks: (Accumulator | undefined)[];
}

/** The samples of leaf series in at most 30 equal blocks of time, by which results are compared. */
export class BlockStore {
  readonly #metrics: ReadonlySet<string>;
  readonly #mostCharacters: number;
  readonly #series = new Map<string, BlockedSeries>();
  #seconds = 1;

  /** `mostCharacters`: of all blocks of a result together, as text. */
  constructor(metrics: ReadonlySet<string>, mostCharacters = 1_200_000) {
    this.#metrics = metrics;
    this.#mostCharacters = mostCharacters;
  }

  /** Adds samples of one second of the run. */
  add(
    second: number,
    series: readonly { readonly tags: Tags; readonly metrics: Readonly<Record<string, MetricDelta>> }[],
  ): void {
    while (Math.floor(second / this.#seconds) >= mostBlocks) this.#widen();
    const block = Math.floor(second / this.#seconds);
    for (const { tags, metrics } of series)
      for (const metric of this.#metrics) {
        const delta = metrics[metric];
        if (delta !== undefined && delta.type !== "gauge") addTo(this.#of(metric, tags), block, delta);
      }
  }

  /** The blocks of each series that is kept in the result, by {@link blockKey}. */
  result(): { readonly blockMs: number; readonly series: ReadonlyMap<string, readonly SeriesBlock[]> } {
    const names = busiestNames([...this.#series.values()]);
    let kept = [...this.#series].filter(
      ([, { tags }]) => tags["name"] === undefined || names.has(tags["name"]),
    );
    let seconds = this.#seconds;
    let series = encodeAll(kept);
    while (sizeOf(series) > this.#mostCharacters && blockCount(series) > fewestBlocks) {
      kept = kept.map(([key, one]) => [key, { ...one, blocks: joinPairs(one.blocks) }] as const);
      seconds *= 2;
      series = encodeAll(kept);
    }
    return { blockMs: seconds * secondMs, series: fitting(series, kept, this.#mostCharacters) };
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

/** The metrics whose blocks are kept: times and failures of operations, and those that thresholds judge. */
export function blockedMetrics(
  clients: readonly DescribedClient[],
  thresholds: readonly Pick<ValidatedThreshold, "selector">[],
): ReadonlySet<string> {
  const roles = clients.flatMap(({ roles: { duration, responseTime, failed } }) => [
    duration,
    responseTime,
    failed,
  ]);
  return new Set([...roles, ...thresholds.map(({ selector }) => selector.metric)]);
}

export function blockKey(metric: string, tags: Tags): string {
  const known = tagsKeys.get(tags);
  const key = known ?? tagsKey(tags);
  if (known === undefined) tagsKeys.set(tags, key);
  return `${metric} ${key}`;
}

/** Keys by the tags of series, which nobody changes: they are asked for each second, and for each metric. */
const tagsKeys = new WeakMap<Tags, string>();

/** A block of trends keeps two digits: it takes a third of the room. */
function addTo({ blocks }: BlockedSeries, block: number, delta: MetricDelta): void {
  const accumulator = (blocks[block] ??= delta.type === "trend" ? new Trend(2) : accumulatorFor(delta));
  mergeDelta(accumulator, delta);
}

function joinPairs(blocks: readonly (Accumulator | undefined)[]): (Accumulator | undefined)[] {
  return Array.from({ length: Math.ceil(blocks.length / 2) }, (_, pair) => {
    const [one, other] = [blocks[pair * 2], blocks[pair * 2 + 1]];
    if (one === undefined || other === undefined) return one ?? other;
    const joined = accumulatorFor(one);
    mergeDelta(joined, one);
    mergeDelta(joined, other);
    return joined;
  });
}

function busiestNames(series: readonly BlockedSeries[]): ReadonlySet<string> {
  const samples = new Map<string, number>();
  for (const one of series) {
    const { name } = one.tags;
    if (name !== undefined) samples.set(name, (samples.get(name) ?? 0) + samplesOf(one));
  }
  const busiest = [...samples].toSorted(([, one], [, other]) => other - one).slice(0, mostNames);
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
  return [...series.values()].reduce((sum, blocks) => sum + sizeOfBlocks(blocks), 0);
}

/** In an indented document each block has a line of its own. */
function sizeOfBlocks(blocks: readonly SeriesBlock[]): number {
  const lineCharacters = 16;
  return blocks.reduce<number>(
    (sum, block) => sum + (typeof block === "string" ? block.length : 2 * lineCharacters) + lineCharacters,
    0,
  );
}

/** Leaves out the series with the fewest samples where all would take too much room. */
function fitting(
  series: ReadonlyMap<string, readonly SeriesBlock[]>,
  from: readonly (readonly [key: string, series: BlockedSeries])[],
  mostCharacters: number,
): ReadonlyMap<string, readonly SeriesBlock[]> {
  const byBusiness = from.toSorted(([, one], [, other]) => samplesOf(other) - samplesOf(one));
  const kept = new Map<string, readonly SeriesBlock[]>();
  let room = mostCharacters;
  for (const [key] of byBusiness) {
    const blocks = series.get(key) ?? [];
    room -= sizeOfBlocks(blocks);
    if (room < 0) break;
    kept.set(key, blocks);
  }
  return kept;
}
