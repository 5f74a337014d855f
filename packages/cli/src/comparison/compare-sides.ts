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
  /** How often the blocks are drawn. The standard error is off by about one part in √(2 × draws). */
  readonly draws: number;
}

/** How far apart two sides are, on the scale of the change: natural logarithms for relative ones. */
export interface SidedChange {
  readonly base: number;
  readonly other: number;
  readonly shift: number;
  /** The standard error of `shift`, as far as the runs tell. */
  readonly error: number;
  /** The standard deviation that single runs of the same thing are taken to add. It moves all figures of a run together. */
  readonly noise: number;
  /** Student's degrees of freedom that belong to `error`. */
  readonly freedom: number;
}

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
 * Compares a figure of two sides. The bootstrap resamples blocks of time: neighbouring blocks together, because they depend on
 * each other, and the same blocks on both sides, because load and target may change in the course of a run. Where a side's
 * runs differ by more than their blocks explain, that is added. Null where a side has no sample, or fewer than 8 blocks.
 *
 * Sources: Künsch, "The Jackknife and the Bootstrap for General Stationary Observations", 1989; Davison and Hinkley,
 * "Bootstrap Methods and their Application", 1997, sections 3.8 and 8.2.
 */
export function compareSides(
  figure: SidedFigure,
  { runNoise, random, draws }: Conditions,
): SidedChange | null {
  const { base, other, change } = figure;
  const all = [...base, ...other];
  if (base.length === 0 || other.length === 0 || all.some((run) => blockCount(run) < leastBlocks))
    return null;
  const whole = readAll(figure, wholeFigure);
  const drawn = Array.from({ length: draws }, () => {
    const weights = weightsFor(all, random);
    return readAll(figure, (run) => weightedFigure(run, weights.get(blockCount(run)) ?? new Uint32Array()));
  }).filter((values) => values !== null);
  if (whole === null || drawn.length < draws / 2) return null;
  const shifts = drawn.map((values) => meanOf(values.other) - meanOf(values.base));
  const within = Math.max(varianceOf(shifts), independentVariance(figure));
  const sides = (["base", "other"] as const).map((side) =>
    describeSide(
      whole[side],
      drawn.map((values) => values[side]),
      figure[side],
    ),
  );
  const beyond = sides.reduce((sum, side) => sum + side.beyond, 0);
  const noiseOf = (side: readonly number[]): number => {
    if (side.length > 1) return 0;
    const spread = change === "relative" ? Math.log1p(runNoise) : runNoise * meanOf(side);
    return (spread / half) ** 2 / 2;
  };
  const [from, to] = [meanOf(whole.base), meanOf(whole.other)];
  return {
    ...{ base: from, other: to, shift: to - from },
    error: Math.sqrt(within + beyond),
    noise: Math.sqrt(noiseOf(whole.base) + noiseOf(whole.other)),
    freedom: joinFreedom(sides),
  };
}

/** The variance of a side's mean, and how much of it its blocks do not explain. */
interface SideVariance {
  readonly variance: number;
  readonly beyond: number;
  readonly freedom: number;
}

function describeSide(
  whole: readonly number[],
  drawn: readonly (readonly number[])[],
  runs: readonly BlockedSamples[],
): SideVariance {
  const count = whole.length;
  const within = meanOf(whole.map((_, run) => varianceOf(drawn.map((values) => values[run] ?? 0))));
  if (count === 1) return { variance: within, beyond: 0, freedom: blockCount(runs[0] ?? emptyRun) - 1 };
  const beyond = Math.max(0, varianceOf(whole) - within) / count;
  return { variance: within / count + beyond, beyond, freedom: count - 1 };
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
