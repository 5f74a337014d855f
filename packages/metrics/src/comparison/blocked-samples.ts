import { studentQuantile } from "../quantiles.ts";
import { sumBy } from "../sum.ts";

/** The samples of one figure in one run, in equal blocks of time. */
export type BlockedSamples = BlockedSpread | BlockedRatio;

/** A percentile of values that are counted in buckets. */
export interface BlockedSpread {
  readonly kind: "spread";
  readonly percent: number;
  /** The ends of the buckets, ascending. */
  readonly lowest: readonly number[];
  readonly highest: readonly number[];
  /** For each block, the number of values in each bucket and in those before it. */
  readonly upTo: readonly Float64Array[];
  /** The variance of the number of values below the percentile, if values were independent. */
  readonly independentVariance: number;
}

/**
 * The sum of the parts divided by the sum of the wholes: failed requests and requests, for example, or
 * a total and seconds.
 */
export interface BlockedRatio {
  readonly kind: "ratio";
  readonly parts: readonly number[];
  readonly wholes: readonly number[];
  /** The variance of the sum of the parts, if values were independent; null if that is unknown. */
  readonly independentVariance: number | null;
}

export function blockCount(samples: BlockedSamples): number {
  return samples.kind === "spread" ? samples.upTo.length : samples.parts.length;
}

/** Returns the figure, with each block counted as many times as in `weights`; null without a sample. */
export function weightedFigure(samples: BlockedSamples, weights: Uint32Array): number | null {
  return samples.kind === "spread" ? percentileOf(samples, weights) : ratioOf(samples, weights);
}

/** Returns the figure of the run itself, with each block counted once. */
export function wholeFigure(samples: BlockedSamples): number | null {
  return weightedFigure(samples, new Uint32Array(blockCount(samples)).fill(1));
}

function ratioOf({ parts, wholes }: BlockedRatio, weights: Uint32Array): number | null {
  let [part, whole] = [0, 0];
  for (const [block, weight] of weights.entries()) {
    part += weight * (parts[block] ?? 0);
    whole += weight * (wholes[block] ?? 0);
  }
  return whole === 0 ? null : part / whole;
}

/**
 * Finds the percentile's bucket by bisection, and interpolates in it, so that a small shift is not lost
 * between two buckets.
 */
function percentileOf(
  { percent, lowest, highest, upTo }: BlockedSpread,
  weights: Uint32Array,
): number | null {
  const countUpTo = (bucket: number): number => {
    let count = 0;
    // This runs hundreds of thousands of times in a comparison: an iterator would cause most of its garbage.
    for (let block = 0; block < upTo.length; block++)
      count += (weights[block] ?? 0) * (upTo[block]?.[bucket] ?? 0);
    return count;
  };
  const total = countUpTo(lowest.length - 1);
  if (total === 0) return null;
  const rank = (percent / 100) * total;
  let [first, last] = [0, lowest.length - 1];
  while (first < last) {
    const middle = (first + last) >>> 1;
    if (countUpTo(middle) >= rank) last = middle;
    else first = middle + 1;
  }
  const below = countUpTo(first - 1);
  const inBucket = countUpTo(first) - below;
  const [low, high] = [lowest[first] ?? 0, highest[first] ?? 0];
  return inBucket === 0 ? low : low + (high - low) * ((rank - below) / inBucket);
}

/**
 * Returns the share of the variance between blocks that independent values would cause. An excess that may be
 * due to chance counts as none.
 */
export function independentShare(samples: BlockedSamples): number {
  const blocks = blockCount(samples);
  const value = wholeFigure(samples);
  if (value === null) return 0;
  const deviations =
    samples.kind === "spread"
      ? deviationsBelow(samples, value)
      : samples.parts.map((part, block) => part - value * (samples.wholes[block] ?? 0));
  const variance = (sumBy(deviations, (one) => one ** 2) * blocks) / (blocks - 1);
  const independent = samples.independentVariance ?? 0;
  const dispersion = independent === 0 ? Infinity : variance / independent;
  return 1 / Math.max(1, dispersion - Math.sqrt(2 / blocks));
}

/** Returns for each block how many of its values are below the percentile, minus the expected number. */
function deviationsBelow({ percent, lowest, highest, upTo }: BlockedSpread, value: number): number[] {
  const share = percent / 100;
  const bucket = highest.findIndex((end) => end >= value);
  const [low, high] = [lowest[bucket] ?? 0, highest[bucket] ?? 0];
  const within = high === low ? 1 : Math.min(1, Math.max(0, (value - low) / (high - low)));
  return upTo.map((counts) => {
    const [below, total] = [counts[bucket - 1] ?? 0, counts.at(-1) ?? 0];
    return below + within * ((counts[bucket] ?? 0) - below) - share * total;
  });
}

/** Returns the general level of the values in each block; null for a block without any. */
export function blockLevels(samples: BlockedSamples, isLogarithmic: boolean): (number | null)[] {
  if (samples.kind === "spread") return samples.upTo.map((counts) => meanLogarithm(samples, counts));
  return samples.parts.map((part, block) => {
    const value = part / (samples.wholes[block] ?? 0);
    const level = isLogarithmic ? Math.log(value) : value;
    return Number.isFinite(level) ? level : null;
  });
}

function meanLogarithm({ lowest, highest }: BlockedSpread, upTo: Float64Array): number | null {
  let [sum, before] = [0, 0];
  for (let bucket = 0; bucket < upTo.length; bucket++) {
    const count = upTo[bucket] ?? 0;
    if (count > before)
      sum += (count - before) * Math.log(((lowest[bucket] ?? 0) + (highest[bucket] ?? 0)) / 2);
    before = count;
  }
  return before === 0 ? null : sum / before;
}

/** Fewer blocks do not show well enough how much they vary. */
const minBlocks = 5;

/** One block's share in a ratio: requests and seconds, for example, or failed requests and requests. */
export interface BlockShare {
  readonly part: number;
  readonly whole: number;
}

/**
 * Returns the margin of the 95 % confidence interval of a ratio: the sum of the parts divided by the sum of
 * the wholes. Measurements may depend on each other within a block, but hardly from one block to the next.
 * Null for fewer than 5 blocks.
 *
 * Source: the ratio estimator of cluster samples, Cochran, "Sampling Techniques", chapter 6.
 */
export function blockMargin(given: readonly BlockShare[]): number | null {
  const blocks = given.filter(({ whole }) => whole > 0);
  if (blocks.length < minBlocks) return null;
  const part = sumBy(blocks, (one) => one.part);
  const whole = sumBy(blocks, (one) => one.whole);
  const squares = sumBy(blocks, (one) => (one.part - (part / whole) * one.whole) ** 2);
  const freedom = blocks.length - 1;
  return (studentQuantile(0.975, freedom) * Math.sqrt((squares * blocks.length) / freedom)) / whole;
}
