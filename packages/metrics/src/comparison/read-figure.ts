import type { MetricType, SeriesResult, TestResult } from "@bearhug/sdk";
import { builtInMetrics, isBuiltInMetric } from "@bearhug/sdk/internal";
import type { MetricUnit } from "@bearhug/sdk/result";
import { isIdentifier } from "@bearhug/text/identifier";
import { requestName } from "@bearhug/text/request-name";

import {
  aggregatedUnit,
  aggregations,
  percentileOf,
  type Aggregation,
} from "../thresholds/threshold-language.ts";
import { matchesTags, type MetricSelector } from "../metric-selector.ts";
import { decodeHistogram } from "../histogram-encoding.ts";
import { getOrAdd } from "../get-or-add.ts";
import { type CountedRange, Histogram } from "../histogram.ts";
import { trendScale } from "../trend.ts";
import type { BlockedSamples, BlockedSpread } from "./blocked-samples.ts";
import type { ChosenFigure } from "./choose-figures.ts";
import { sum, sumBy } from "../sum.ts";

/** A figure of one run, as its result document contains it. */
export interface ReadFigure {
  /** Null if it cannot be resampled. */
  readonly samples: BlockedSamples | null;
  readonly type: "trend" | "rate" | "counter" | null;
  readonly unit: MetricUnit;
  /** True for a run in which the metric has no sample. */
  readonly isEmpty: boolean;
  /** In public units: values from here on are only lower bounds. */
  readonly censoredFrom: number;
}

const maxBlocks = 30;

/** Reads figures of results by blocks of time. Those of one metric share its blocks: decoding takes longest. */
export class FigureReader {
  readonly #metrics = new Map<TestResult, Map<string, BlockedMetric>>();

  /**
   * Reads a figure from the intervals of a result if they contain it, otherwise from its leaf series.
   * @param isEvenly true to count each block equally, however many samples it has
   */
  read(
    result: TestResult,
    figure: ChosenFigure,
    { isEvenly }: { readonly isEvenly: boolean } = { isEvenly: false },
  ): ReadFigure {
    const { selector, aggregation } = figure;
    const { metric } = selector;
    const { series, blocks, spread, seconds } = this.#metric(result, selector);
    const total = result.metrics[metric];
    const type = total === undefined || total.type === "gauge" ? null : total.type;
    const censored = series.flatMap((one) => (one.censored === undefined ? [] : [one.censored.from]));
    const blockShares = isEvenly && blocks !== null ? sharesInRun(blocks.length, result) : null;
    return {
      samples: blocks && toSamples(blocks, spread, { aggregation, seconds, blockShares }),
      type,
      unit: unitOf(total ?? (isBuiltInMetric(metric) ? builtInMetrics[metric] : undefined), aggregation),
      isEmpty: series.length === 0,
      censoredFrom: Math.min(...censored),
    };
  }

  /** Keeps what all requests have: several figures are derived from it. A series has one figure, mostly. */
  #metric(result: TestResult, selector: MetricSelector): BlockedMetric {
    if (selector.filters.length > 0) return blockedMetric(result, selector);
    const ofResult = getOrAdd(this.#metrics, result, () => new Map<string, BlockedMetric>());
    return getOrAdd(ofResult, selector.metric, () => blockedMetric(result, selector));
  }
}

/** The samples of a metric in a run. */
interface BlockedMetric {
  readonly series: readonly SeriesResult[];
  /** Null if there are none for a part of the samples. */
  readonly blocks: readonly Block[] | null;
  /** Null for a metric without histograms. */
  readonly spread: Spread | null;
  /** The width of a block. */
  readonly seconds: number;
}

function blockedMetric(result: TestResult, selector: MetricSelector): BlockedMetric {
  const series = seriesOf(result, selector);
  const ofIntervals = selector.filters.length === 0 ? blocksOfIntervals(result, selector.metric) : null;
  const blocks = ofIntervals ?? blocksOf(series, countOfBlocks(result));
  const blockMs = ofIntervals === null ? result.blockMs : widthOfBlock(result);
  const isSpread = blocks?.some(({ histogram }) => histogram !== null) === true;
  return { series, blocks, spread: isSpread ? new Spread(blocks) : null, seconds: (blockMs ?? 0) / 1000 };
}

/** Returns the unit of a figure. Counts are compared per second, because runs differ in length. */
function unitOf(
  metric: { readonly type: MetricType; readonly unit: MetricUnit } | undefined,
  { kind }: Aggregation,
): MetricUnit {
  if (metric === undefined) return null;
  const isCounted = metric.type !== "rate" && aggregations[kind].estimate === "ratio";
  return isCounted
    ? aggregatedUnit({ type: "counter", unit: aggregatedUnit(metric, "count") }, "rate")
    : metric.unit;
}

/**
 * Returns the series of a figure. If none has its names, returns those that would have them
 * under today's rules.
 */
function seriesOf({ series }: TestResult, selector: MetricSelector): SeriesResult[] {
  const ofMetric = series.filter(({ metric }) => metric === selector.metric);
  const exact = ofMetric.filter(({ tags }) => matchesTags(selector, tags));
  return exact.length > 0 ? exact : ofMetric.filter(({ tags }) => matchesTags(selector, todaysNames(tags)));
}

/** A metric in one block of time. */
interface Block {
  readonly histogram: Histogram | null;
  readonly part: number;
  /** Null for a counter, which is divided by time. */
  readonly whole: number | null;
}

const emptyBlock: Block = { histogram: null, part: 0, whole: 0 };

function blocksOfIntervals({ intervals }: TestResult, metric: string): Block[] | null {
  const read = intervalReaders[metric];
  if (read === undefined) return null;
  const each = intervalsInBlock(intervals);
  return Array.from({ length: Math.ceil(intervals.length / each) }, (_, block) =>
    intervals
      .slice(block * each, (block + 1) * each)
      .map(read)
      .reduce(joinBlocks, emptyBlock),
  );
}

function intervalsInBlock({ length }: TestResult["intervals"]): number {
  return Math.max(1, Math.ceil(length / maxBlocks));
}

function widthOfBlock({ intervals }: TestResult): number {
  return intervalsInBlock(intervals) * (intervals[0]?.widthMs ?? 0);
}

type Interval = TestResult["intervals"][number];

const intervalReaders: Readonly<Record<string, (interval: Interval) => Block>> = {
  http_req_duration: ({ duration }) => blockOfText(duration),
  http_req_response_time: ({ responseTime }) => blockOfText(responseTime),
  http_req_failed: ({ http_reqs, http_reqs_failed }) => ({
    histogram: null,
    part: http_reqs_failed,
    whole: http_reqs,
  }),
};

/**
 * Returns the number of blocks of a run. A series ends with its last sample, but the run may end later: a
 * series that is silent at the end has empty blocks there.
 */
function countOfBlocks({ intervals, blockMs }: TestResult): number {
  const last = intervals.findLast(({ http_reqs, iterations }) => http_reqs > 0 || iterations > 0);
  return blockMs === undefined ? 0 : Math.ceil((last?.atMs ?? 0) / blockMs);
}

/** Returns the share of each block that is in the run: less than 1 for the block in which the run ended. */
function sharesInRun(blocks: number, { durationMs, blockMs = 0 }: TestResult): number[] {
  return Array.from({ length: blocks }, (_, at) =>
    Math.min(1, Math.max(0.001, blockMs === 0 ? 1 : durationMs / blockMs - at)),
  );
}

/**
 * Returns the blocks of all series together; null if a series has no blocks, because its
 * samples would be missing.
 */
function blocksOf(series: readonly SeriesResult[], least: number): Block[] | null {
  const blocked = series.flatMap(({ blocks }) => (blocks === undefined ? [] : [blocks]));
  if (blocked.length < series.length || blocked.length === 0) return null;
  const length = Math.max(least, ...blocked.map((blocks) => blocks.length));
  return Array.from({ length }, (_, at) =>
    blocked.map((blocks) => blockOf(blocks[at] ?? null)).reduce(joinBlocks, emptyBlock),
  );
}

function blockOf(block: NonNullable<SeriesResult["blocks"]>[number]): Block {
  if (block === null) return emptyBlock;
  if (typeof block === "string") return blockOfText(block);
  if (typeof block === "number") return { histogram: null, part: block, whole: null };
  return { histogram: null, part: block[0], whole: block[1] };
}

function blockOfText(text: string | null): Block {
  const decoded = text === null ? null : decodeHistogram(text);
  if (decoded === null) return emptyBlock;
  const histogram = new Histogram(2);
  histogram.add(decoded.buckets, decoded.precision);
  return { histogram, part: 0, whole: 0 };
}

function joinBlocks(one: Block, other: Block): Block {
  const histogram = one.histogram ?? other.histogram;
  if (one.histogram !== null && other.histogram !== null)
    one.histogram.add(other.histogram.buckets(), other.histogram.precision);
  const whole = one.whole === null || other.whole === null ? null : one.whole + other.whole;
  return { histogram, part: one.part + other.part, whole };
}

interface Sampling {
  readonly aggregation: Aggregation;
  readonly seconds: number;
  /** The share of each block that is in the run; null to count each sample equally. */
  readonly blockShares: readonly number[] | null;
}

/** The values of all blocks in the same buckets. */
class Spread {
  /** For each block, its buckets with samples. */
  readonly ranges: readonly (readonly CountedRange[])[];
  /** The number of samples of each block. */
  readonly sizes: readonly number[];
  #buckets: Pick<BlockedSpread, "lowest" | "highest"> | null = null;

  constructor(blocks: readonly Block[]) {
    this.ranges = blocks.map(({ histogram }) => histogram?.ranges() ?? []);
    this.sizes = this.ranges.map((one) => sumBy(one, ({ count }) => count));
  }

  /** The ends of all buckets with samples, ascending. */
  get buckets(): Pick<BlockedSpread, "lowest" | "highest"> {
    return (this.#buckets ??= this.#findBuckets());
  }

  #findBuckets(): Pick<BlockedSpread, "lowest" | "highest"> {
    const ends = new Map<number, number>();
    for (const one of this.ranges) for (const { lowest, highest } of one) ends.set(lowest, highest);
    const lowest = [...Float64Array.from(ends.keys()).sort()];
    return {
      lowest: lowest.map((value) => value / trendScale),
      highest: lowest.map((value) => ((ends.get(value) ?? value) + 1) / trendScale),
    };
  }

  /** Returns, for each block, the weight of the values in each bucket and in those before it. */
  weightUpTo(weights: readonly number[]): Float64Array[] {
    const { lowest } = this.buckets;
    return this.ranges.map((ranges, block) => {
      const upTo = new Float64Array(lowest.length);
      let [at, sum] = [0, 0];
      for (const range of ranges) {
        for (; (lowest[at] ?? Infinity) < range.lowest / trendScale; at++) upTo[at] = sum;
        sum += range.count * (weights[block] ?? 1);
      }
      return upTo.fill(sum, at);
    });
  }
}

function toSamples(blocks: readonly Block[], spread: Spread | null, sampling: Sampling): BlockedSamples {
  const { aggregation, seconds } = sampling;
  if (spread === null) {
    const parts = blocks.map(({ part }) => part);
    if (blocks.some(({ whole }) => whole === null))
      return { kind: "ratio", parts, wholes: blocks.map(() => seconds), independentVariance: null };
    const wholes = blocks.map(({ whole }) => whole ?? 0);
    return ratioSamples(parts, wholes, sampling, (ratio, block) => {
      return (wholes[block] ?? 0) * ratio * (1 - ratio);
    });
  }
  const percent = percentileOf(aggregation);
  const { ranges, sizes } = spread;
  if (aggregations[aggregation.kind].estimate === "ratio")
    return { kind: "ratio", parts: sizes, wholes: blocks.map(() => seconds), independentVariance: null };
  if (percent === null) {
    const values = ranges.map((one) =>
      one.map(({ lowest, highest, count }) => ({ count, value: (lowest + highest) / 2 / trendScale })),
    );
    const parts = values.map((one) => sumBy(one, ({ count, value }) => count * value));
    return ratioSamples(parts, sizes, sampling, (mean, block) =>
      sumBy(values[block] ?? [], ({ count, value }) => count * (value - mean) ** 2),
    );
  }
  const weights = weightsOf(sizes, sampling);
  const share = percent / 100;
  return {
    kind: "spread" as const,
    percent,
    ...spread.buckets,
    upTo: spread.weightUpTo(weights),
    independentVariance: share * (1 - share) * sum(sizes.map((size, at) => size * (weights[at] ?? 1) ** 2)),
  };
}

/**
 * Returns the weight of each sample by block. If blocks count equally, samples of a block weigh less the
 * more of them it has.
 */
function weightsOf(sizes: readonly number[], { blockShares }: Sampling): readonly number[] {
  if (blockShares === null) return sizes.map(() => 1);
  const total = sum(sizes);
  const shares = sizes.map((size, at) => (size === 0 ? 0 : (blockShares[at] ?? 1)));
  const each = total / sum(shares);
  return sizes.map((size, at) => (size === 0 ? 0 : ((shares[at] ?? 0) * each) / size));
}

/**
 * `varianceIn` returns the variance of the sum of a block's values around the ratio, if
 * values were independent.
 */
function ratioSamples(
  parts: readonly number[],
  wholes: readonly number[],
  sampling: Sampling,
  varianceIn: (ratio: number, block: number) => number,
): BlockedSamples {
  const weights = weightsOf(wholes, sampling);
  const weighted = (one: number, at: number): number => one * (weights[at] ?? 1);
  const counted = { parts: parts.map(weighted), wholes: wholes.map(weighted) };
  const ratio = sum(counted.parts) / sum(counted.wholes);
  const independentVariance = sum(weights.map((weight, at) => weight ** 2 * varianceIn(ratio, at)));
  return { kind: "ratio", ...counted, independentVariance };
}

const requestShape = /^([A-Z]+) (\/\S*)$/;
/** Matches groups that an import named after their first request. */
const callShape = /^([A-Z]+ )?(\S*\/\S*)$/;

/**
 * Returns tags with the names that today's rules give to the same requests, pages and groups. Earlier
 * versions left more ids in them: `GET /records/am9na54mwy6hot8`, page `notes/2`.
 */
export function todaysNames(tags: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { name, page, group } = tags;
  return {
    ...tags,
    ...(name === undefined ? {} : { name: nameOfRequest(name) }),
    ...(page === undefined ? {} : { page: nameOfStep(page) }),
    ...(group === undefined ? {} : { group: nameOfStep(group) }),
  };
}

function nameOfRequest(name: string): string {
  const [, method, path] = requestShape.exec(name) ?? [];
  return method === undefined || path === undefined ? name : requestName(method, path);
}

function nameOfStep(name: string): string {
  const [, method = "", path] = callShape.exec(name) ?? [];
  if (path === undefined) return name;
  const segments = path.split("/").map((segment) => (isIdentifier(segment) ? "id" : segment));
  return method + segments.join("/");
}
