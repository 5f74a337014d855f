import { blockCount, weightedFigure, wholeFigure, type BlockedSamples } from "./blocked-samples.ts";

/** One figure of two sides, each with one or several runs. */
export interface SidedFigure {
  readonly base: readonly BlockedSamples[];
  readonly other: readonly BlockedSamples[];
  /** Relative: the ratio of the two, on a logarithmic scale. Points: their difference. */
  readonly change: "relative" | "points";
}

/** The conditions under which two sides are compared. */
export interface Conditions {
  /** Two runs of the same thing differ by up to this much, relatively, in 19 of 20 cases. Used for sides with a single run. */
  readonly runNoise: number;
  readonly random: () => number;
}

/** How far apart two sides are, on the scale of the change: natural logarithms for relative ones. */
export interface SidedChange {
  readonly base: number;
  readonly other: number;
  readonly shift: number;
  /** The standard error of `shift`. */
  readonly error: number;
  /** Student's degrees of freedom that belong to `error`. */
  readonly freedom: number;
}

const replicates = 400;
/** Fewer blocks say too little about how much they vary. */
const leastBlocks = 8;
/** The 97.5 % quantile of the normal distribution: half of a 95 % interval. */
const half = 1.959964;

/** The figures of both sides' runs, on the scale of the change. */
interface Values {
  readonly base: readonly number[];
  readonly other: readonly number[];
}

/**
 * Compares a figure of two sides. The bootstrap resamples runs, then blocks of time: neighbouring blocks together, because
 * they depend on each other, and the same blocks on both sides, because load and target may change in the course of a run.
 * Null where a side has no sample, or fewer than 8 blocks.
 *
 * Sources: Künsch, "The Jackknife and the Bootstrap for General Stationary Observations", 1989; Davison and Hinkley,
 * "Bootstrap Methods and their Application", 1997, sections 3.8 and 8.2.
 */
export function compareSides(figure: SidedFigure, { runNoise, random }: Conditions): SidedChange | null {
  const { base, other, change } = figure;
  const all = [...base, ...other];
  if (base.length === 0 || other.length === 0 || all.some((run) => blockCount(run) < leastBlocks))
    return null;
  const whole = readAll(figure, wholeFigure);
  const drawn = Array.from({ length: replicates }, () => {
    const weights = weightsFor(all, random);
    const values = readAll(figure, (run) =>
      weightedFigure(run, weights.get(blockCount(run)) ?? new Uint32Array()),
    );
    return values && { base: resampleRuns(values.base, random), other: resampleRuns(values.other, random) };
  }).filter((values) => values !== null);
  if (whole === null || drawn.length < replicates / 2) return null;
  const noise = (side: readonly number[]): number => {
    if (side.length > 1) return 0;
    const spread = change === "relative" ? Math.log1p(runNoise) : runNoise * meanOf(side);
    return (spread / half) ** 2 / 2;
  };
  const parts = [
    { variance: varianceOf(drawn.map((one) => one.base)) + noise(whole.base), freedom: freedomOf(base) },
    { variance: varianceOf(drawn.map((one) => one.other)) + noise(whole.other), freedom: freedomOf(other) },
  ];
  const resampled = varianceOf(drawn.map((one) => one.other - one.base));
  const variance = Math.max(resampled, independentVariance(figure)) + noise(whole.base) + noise(whole.other);
  const [from, to] = [meanOf(whole.base), meanOf(whole.other)];
  return { base: from, other: to, shift: to - from, error: Math.sqrt(variance), freedom: joinFreedom(parts) };
}

/** Null if any run has no value: nothing was measured, or 0, which no ratio can be made of. */
function readAll(
  { base, other, change }: SidedFigure,
  read: (run: BlockedSamples) => number | null,
): Values | null {
  const value = (run: BlockedSamples): number => {
    const figure = read(run) ?? Number.NaN;
    return change === "relative" ? Math.log(figure) : figure;
  };
  const values = { base: base.map(value), other: other.map(value) };
  return [...values.base, ...values.other].every(Number.isFinite) ? values : null;
}

/** How often each block is drawn, by the number of blocks. */
function weightsFor(runs: readonly BlockedSamples[], random: () => number): ReadonlyMap<number, Uint32Array> {
  const counts = new Set(runs.map(blockCount));
  return new Map([...counts].map((blocks) => [blocks, drawBlocks(blocks, random)]));
}

/** Draws stretches of neighbouring blocks, of about the cube root of their number, until there are as many blocks as before. */
function drawBlocks(blocks: number, random: () => number): Uint32Array {
  const weights = new Uint32Array(blocks);
  const stretch = Math.ceil(Math.cbrt(blocks));
  for (let drawn = 0; drawn < blocks;) {
    const first = Math.floor(random() * blocks);
    for (let at = 0; at < stretch && drawn < blocks; at++, drawn++) {
      const block = (first + at) % blocks;
      weights[block] = (weights[block] ?? 0) + 1;
    }
  }
  return weights;
}

/** Draws as many runs as there are. Of few runs, draws vary less than new runs would: their deviations are enlarged. */
function resampleRuns(figures: readonly number[], random: () => number): number {
  const runs = figures.length;
  if (runs === 1) return figures[0] ?? 0;
  const mean = meanOf(figures);
  const drawn = figures.map(() => figures[Math.floor(random() * runs)] ?? mean);
  return mean + (meanOf(drawn) - mean) * Math.sqrt(runs / (runs - 1));
}

/**
 * The variance that a difference of shares has even if no failure depends on another. The bootstrap of a side without any
 * failure knows of none. Source: Agresti and Caffo, 2000.
 */
function independentVariance({ base, other, change }: SidedFigure): number {
  if (change === "relative") return 0;
  const variance = (runs: readonly BlockedSamples[]): number => {
    let [part, whole] = [1, 2];
    for (const run of runs) {
      if (run.kind !== "ratio") continue;
      part += run.parts.reduce((sum, one) => sum + one, 0);
      whole += run.wholes.reduce((sum, one) => sum + one, 0);
    }
    const share = Math.min(1, part / whole);
    return (share * (1 - share)) / whole;
  };
  return variance(base) + variance(other);
}

function freedomOf(runs: readonly BlockedSamples[]): number {
  return runs.length > 1 ? runs.length - 1 : blockCount(runs[0] ?? emptyRun) - 1;
}

const emptyRun: BlockedSamples = { kind: "ratio", parts: [], wholes: [] };

/** Source: Welch, 1947. */
function joinFreedom(parts: readonly { readonly variance: number; readonly freedom: number }[]): number {
  const variance = parts.reduce((sum, one) => sum + one.variance, 0);
  const spread = parts.reduce((sum, one) => sum + one.variance ** 2 / one.freedom, 0);
  return spread === 0 ? Math.max(...parts.map(({ freedom }) => freedom)) : variance ** 2 / spread;
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, one) => sum + one, 0) / values.length;
}

function varianceOf(values: readonly number[]): number {
  const mean = meanOf(values);
  return values.reduce((sum, one) => sum + (one - mean) ** 2, 0) / Math.max(1, values.length - 1);
}
