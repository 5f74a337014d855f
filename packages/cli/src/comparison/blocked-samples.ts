/** The samples of one figure in one run, by equal blocks of time. */
export type BlockedSamples = BlockedSpread | BlockedRatio;

/** A percentile of values that are counted in buckets. */
export interface BlockedSpread {
  readonly kind: "spread";
  readonly percent: number;
  /** The ends of the buckets, ascending. */
  readonly lowest: readonly number[];
  readonly highest: readonly number[];
  /** For each block, how many values are in each bucket and those before it. */
  readonly upTo: readonly Float64Array[];
}

/** All parts by all wholes: failed requests and requests, say, or a sum and seconds. */
export interface BlockedRatio {
  readonly kind: "ratio";
  readonly parts: readonly number[];
  readonly wholes: readonly number[];
}

export function blockCount(samples: BlockedSamples): number {
  return samples.kind === "spread" ? samples.upTo.length : samples.parts.length;
}

/** The figure, with each block counted as many times as `weights` says; null without a sample. */
export function weightedFigure(samples: BlockedSamples, weights: Uint32Array): number | null {
  return samples.kind === "spread" ? percentileOf(samples, weights) : ratioOf(samples, weights);
}

/** The figure of the run as it was. */
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

/** Finds its bucket by bisection, and interpolates there, so that a small shift is not lost between two buckets. */
function percentileOf(
  { percent, lowest, highest, upTo }: BlockedSpread,
  weights: Uint32Array,
): number | null {
  const countUpTo = (bucket: number): number => {
    let count = 0;
    // Run hundreds of thousands of times in a comparison: an iterator would make most of its garbage.
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
