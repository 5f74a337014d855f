import type { SeriesResult, TestResult } from "@bearhug/sdk";
import { builtInMetrics, isBuiltInMetric, matchesTags, type MetricUnit } from "@bearhug/sdk/internal";

import { decodeHistogram } from "../metrics/histogram-encoding.ts";
import { Histogram } from "../metrics/histogram.ts";
import { trendScale } from "../metrics/trend.ts";
import type { BlockedSamples } from "./blocked-samples.ts";
import type { ChosenFigure } from "./chosen-figures.ts";

/** A figure of one run, as its result document holds it. */
export interface ReadFigure {
  /** Null where it cannot be resampled. */
  readonly samples: BlockedSamples | null;
  readonly type: "trend" | "rate" | "counter" | null;
  readonly unit: MetricUnit;
  /** True for a run in which the metric has no sample. */
  readonly isEmpty: boolean;
  /** In public units: values from here on are only lower bounds. */
  readonly censoredFrom: number;
}

const mostBlocks = 30;

/** Reads a figure of a result by blocks of time: from its intervals where these hold it, else from its leaf series. */
export function readFigure(result: TestResult, figure: ChosenFigure): ReadFigure {
  const { selector, aggregation } = figure;
  const { metric, filters } = selector;
  const series = result.series.filter((one) => one.metric === metric && matchesTags(selector, one.tags));
  const total = result.metrics[metric];
  const type = total === undefined || total.type === "gauge" ? null : total.type;
  const blocks =
    filters.length === 0 ? (blocksOfIntervals(result, metric) ?? blocksOf(series)) : blocksOf(series);
  const seconds = (result.blockMs ?? 0) / 1000;
  const censored = series.flatMap((one) => (one.censored === undefined ? [] : [one.censored.from]));
  return {
    samples: blocks === null ? null : toSamples(blocks, aggregation, seconds),
    type,
    unit: total?.unit ?? (isBuiltInMetric(metric) ? builtInMetrics[metric].unit : null),
    isEmpty: series.length === 0,
    censoredFrom: Math.min(...censored),
  };
}

/** A metric in one block of time. */
interface Block {
  readonly histogram: Histogram | null;
  readonly part: number;
  /** Null for a counter, whose whole is the time. */
  readonly whole: number | null;
}

const emptyBlock: Block = { histogram: null, part: 0, whole: 0 };

function blocksOfIntervals({ intervals }: TestResult, metric: string): Block[] | null {
  const read = intervalReaders[metric];
  if (read === undefined) return null;
  const each = Math.max(1, Math.ceil(intervals.length / mostBlocks));
  return Array.from({ length: Math.ceil(intervals.length / each) }, (_, block) =>
    intervals
      .slice(block * each, (block + 1) * each)
      .map(read)
      .reduce(joinBlocks, emptyBlock),
  );
}

type Interval = TestResult["intervals"][number];

const intervalReaders: Readonly<Record<string, (interval: Interval) => Block>> = {
  http_req_duration: ({ duration }) => blockOfText(duration),
  http_req_response_time: ({ responseTime }) => blockOfText(responseTime),
  http_req_failed: ({ http_reqs, http_reqs_failed }) => ({
    ...{ histogram: null, part: http_reqs_failed, whole: http_reqs },
  }),
};

/** Null where a series has no blocks: its samples would be missing. */
function blocksOf(series: readonly SeriesResult[]): Block[] | null {
  const blocked = series.flatMap(({ blocks }) => (blocks === undefined ? [] : [blocks]));
  if (blocked.length < series.length || blocked.length === 0) return null;
  const length = Math.max(...blocked.map((blocks) => blocks.length));
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

function toSamples(blocks: readonly Block[], aggregation: string, seconds: number): BlockedSamples {
  if (!blocks.some(({ histogram }) => histogram !== null)) {
    const isCounter = blocks.some(({ whole }) => whole === null);
    return {
      kind: "ratio",
      parts: blocks.map(({ part }) => part),
      wholes: blocks.map(({ whole }) => (isCounter ? seconds : (whole ?? 0))),
    };
  }
  const percent = percentOf(aggregation);
  const ranges = blocks.map(({ histogram }) => histogram?.ranges() ?? []);
  if (percent === null) {
    const sum = (one: (typeof ranges)[number]): number =>
      one.reduce((total, { lowest, highest, count }) => total + (count * (lowest + highest)) / 2, 0);
    return {
      kind: "ratio",
      parts: ranges.map((one) => sum(one) / trendScale),
      wholes: ranges.map((one) => one.reduce((total, { count }) => total + count, 0)),
    };
  }
  const grid = new Map(ranges.flat().map(({ lowest, highest }) => [lowest, highest] as const));
  const lowest = [...grid.keys()].toSorted((one, other) => one - other);
  const places = new Map(lowest.map((value, at) => [value, at] as const));
  const upTo = ranges.map((one) => {
    const counts = new Float64Array(lowest.length);
    for (const range of one) counts[places.get(range.lowest) ?? 0] = range.count;
    let sum = 0;
    return counts.map((count) => (sum += count));
  });
  return {
    ...{ kind: "spread" as const, percent, upTo },
    lowest: lowest.map((value) => value / trendScale),
    highest: lowest.map((value) => ((grid.get(value) ?? value) + 1) / trendScale),
  };
}

/** Null for a mean. */
function percentOf(aggregation: string): number | null {
  if (aggregation === "med") return 50;
  const [, percent] = /^p\((.*)\)$/.exec(aggregation) ?? [];
  return percent === undefined ? null : Number(percent);
}
