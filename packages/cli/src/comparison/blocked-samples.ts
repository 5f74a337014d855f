/** The samples of one figure in one run, by equal blocks of time. */
export type BlockedSamples = BlockedSpread | BlockedRatio;

/** A percentile of values that are counted in buckets. */
export interface BlockedSpread {
  readonly kind: "spread";
  readonly percent: number;
  /** The ends of the buckets, ascending. */
  readonly lowest: readonly number[];
  readonly highest: readonly number[];
  /** For each block, how many values are in each bucket. */
  readonly counts: readonly Float64Array[];
}

/** All parts by all wholes: failed requests and requests, say, or a sum and seconds. */
export interface BlockedRatio {
  readonly kind: "ratio";
  readonly parts: readonly number[];
  readonly wholes: readonly number[];
}

export function blockCount(samples: BlockedSamples): number {
  return samples.kind === "spread" ? samples.counts.length : samples.parts.length;
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

/** Interpolates in its bucket, so that a small shift is not lost between two of them. */
function percentileOf(
  { percent, lowest, highest, counts }: BlockedSpread,
  weights: Uint32Array,
): number | null {
  const merged = new Float64Array(lowest.length);
  for (const [block, weight] of weights.entries()) {
    const own = counts[block];
    if (weight === 0 || own === undefined) continue;
    for (let at = 0; at < merged.length; at++) merged[at] = (merged[at] ?? 0) + weight * (own[at] ?? 0);
  }
  const total = merged.reduce((sum, count) => sum + count, 0);
  const rank = (percent / 100) * total;
  let below = 0;
  for (const [at, count] of merged.entries()) {
    if (count > 0 && below + count >= rank) {
      const [low, high] = [lowest[at] ?? 0, highest[at] ?? 0];
      return low + (high - low) * ((rank - below) / count);
    }
    below += count;
  }
  return null;
}
