import { normalQuantile } from "../quantiles.ts";
import {
  blockCount,
  blockLevels,
  independentShare,
  weightedFigure,
  wholeFigure,
  type BlockedSamples,
} from "./blocked-samples.ts";
import { correlatedVariance, type KnownVariance } from "./correlated-variance.ts";
import { mean, sampleVariance } from "../statistics.ts";
import { sum, sumBy } from "../sum.ts";

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
  /** The number of draws. The standard error is off by about one part in √(2 × draws). */
  readonly draws: number;
}

/** The difference of two sides, on the scale of the change: natural logarithms for relative ones. */
export interface SidedChange {
  readonly base: number;
  readonly other: number;
  readonly shift: number;
  /** The standard error of `shift`, as estimated from the runs. */
  readonly error: number;
  /**
   * The standard deviation that is assumed between single runs of the same thing. It affects all
   * figures of a run together.
   */
  readonly noise: number;
  /** Student's degrees of freedom that belong to `error`. */
  readonly freedom: number;
  /**
   * The number of blocks of the runs, and of the independent blocks that would contain as much information.
   */
  readonly blocks: { readonly measured: number; readonly independent: number };
}

/** Fewer blocks do not show well enough how much they vary. */
const minBlocks = 8;
/** Half of a 95 % interval of the normal distribution, in standard deviations. */
const half: number = normalQuantile(0.975);

/** The figures of both sides' runs, on the scale of the change. */
interface Values {
  readonly base: readonly number[];
  readonly other: readonly number[];
}

/**
 * Compares a figure of two sides. The bootstrap draws blocks of time, the same ones on both sides, because
 * load and target may change in the course of a run. It draws them one by one; the variance that correlation
 * between neighbouring blocks adds is included. If a side's runs differ by more than their blocks explain,
 * that is included, too. Null if a side has no sample, or fewer than 8 blocks.
 *
 * Sources: Davison and Hinkley, "Bootstrap Methods and their Application", 1997, sections 3.8 and 8.2.
 */
export function compareSides(
  figure: SidedFigure,
  { runNoise, random, draws }: Conditions,
): SidedChange | null {
  const { base, other, change } = figure;
  const all = [...base, ...other];
  if (base.length === 0 || other.length === 0 || all.some((run) => blockCount(run) < minBlocks)) return null;
  const whole = readAll(figure, wholeFigure);
  const drawn = Array.from({ length: draws }, () => {
    const weights = weightsFor(all, random);
    return readAll(figure, (run) => weightedFigure(run, weights.get(blockCount(run)) ?? new Uint32Array()));
  }).filter((values) => values !== null);
  if (whole === null || drawn.length < draws / 2) return null;
  const groups = groupRuns(figure).map((runs) => describeGroup(runs, drawn, change));
  const within = Math.max(
    sumBy(groups, ({ variance }) => variance),
    independentVariance(figure),
  );
  const known = { variance: within, freedom: joinFreedom(groups) };
  const sides = (["base", "other"] as const).map((side) =>
    describeSide(whole[side], { ...known, variance: within * shareOf(side, groups) }),
  );
  const beyond = sumBy(sides, (side) => side.beyond);
  const noiseOf = (side: readonly number[]): number => {
    if (side.length > 1) return 0;
    const spread = change === "relative" ? Math.log1p(runNoise) : runNoise * mean(side);
    return (spread / half) ** 2 / 2;
  };
  const [from, to] = [mean(whole.base), mean(whole.other)];
  return {
    base: from,
    other: to,
    shift: to - from,
    error: Math.sqrt(within + beyond),
    noise: Math.sqrt(noiseOf(whole.base) + noiseOf(whole.other)),
    freedom: base.length === 1 && other.length === 1 ? known.freedom : joinFreedom(sides),
    blocks: leastIndependent(groups),
  };
}

/** A run of a side, and its weight in the shift. */
interface SharedRun {
  readonly samples: BlockedSamples;
  readonly side: "base" | "other";
  /** Its place among the runs of its side. */
  readonly at: number;
  readonly share: number;
}

/** Groups runs by their number of blocks: the blocks of a group are drawn together. */
function groupRuns({ base, other }: SidedFigure): SharedRun[][] {
  const runsOf = (side: "base" | "other", runs: readonly BlockedSamples[]): SharedRun[] =>
    runs.map((samples, at) => ({ samples, side, at, share: (side === "base" ? -1 : 1) / runs.length }));
  const runs = [...runsOf("base", base), ...runsOf("other", other)];
  return [...Map.groupBy(runs, ({ samples }) => blockCount(samples)).values()];
}

/** The variance of the group's part in the shift. */
interface RunGroup extends KnownVariance {
  /** Each run has the variance of its part alone, as if its blocks did not depend on each other. */
  readonly runs: readonly (SharedRun & { readonly variance: number })[];
  /** The factor by which the variance is greater because they do. */
  readonly inflation: number;
}

/**
 * Returns the share of the variance within runs that is due to one side. Variation that both sides have in
 * common has cancelled out.
 */
function shareOf(side: SharedRun["side"], groups: readonly RunGroup[]): number {
  const runs = groups.flatMap((group) =>
    group.runs.map((run) => ({ ...run, variance: run.variance * group.inflation })),
  );
  const sumOf = (some: readonly { readonly variance: number }[]): number =>
    sumBy(some, ({ variance }) => variance);
  const all = sumOf(runs);
  return all === 0 ? 0 : sumOf(runs.filter((run) => run.side === side)) / all;
}

/** Returns the numbers of blocks of the runs with the fewest independent ones. */
function leastIndependent(groups: readonly RunGroup[]): SidedChange["blocks"] {
  const counts = groups.map(({ runs: [first], inflation }) => {
    const measured = first === undefined ? 0 : blockCount(first.samples);
    return { measured, independent: measured / inflation };
  });
  const [least] = counts.toSorted((one, other) => one.independent - other.independent);
  return least ?? { measured: 0, independent: 0 };
}

function describeGroup(
  runs: readonly SharedRun[],
  drawn: readonly Values[],
  change: SidedFigure["change"],
): RunGroup {
  const values = runs.map(({ side, at, share }) => drawn.map((draw) => share * (draw[side][at] ?? 0)));
  const variance = sampleVariance(drawn.map((_, draw) => sumBy(values, (run) => run[draw] ?? 0)));
  const measured = runs.map((run, at) => ({ ...run, variance: sampleVariance(values[at] ?? []) }));
  const independent = sumBy(measured, (run) => independentShare(run.samples) * run.variance);
  const levels = runs.map(({ samples, share }) =>
    blockLevels(samples, change === "relative").map((level) => (level === null ? null : level * share)),
  );
  const joined = (levels[0] ?? []).map((_, block) =>
    levels.reduce<number | null>((sum, run) => {
      const level = run[block] ?? null;
      return sum === null || level === null ? null : sum + level;
    }, 0),
  );
  const known = correlatedVariance({ variance, independent, levels: joined });
  return { ...known, runs: measured, inflation: variance === 0 ? 1 : known.variance / variance };
}

/** The variance of a side's mean, and the part of it that its blocks do not explain. */
interface SideVariance extends KnownVariance {
  readonly beyond: number;
}

function describeSide(whole: readonly number[], within: KnownVariance): SideVariance {
  const count = whole.length;
  if (count === 1) return { ...within, beyond: 0 };
  const beyond = Math.max(0, sampleVariance(whole) / count - within.variance);
  return { variance: within.variance + beyond, beyond, freedom: count - 1 };
}

/**
 * Reads a figure of all runs. Null if any run has no value: it has no sample, or it is 0, of which
 * no ratio can be made.
 */
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

/** Draws how often each block counts, by the number of blocks. */
function weightsFor(runs: readonly BlockedSamples[], random: () => number): ReadonlyMap<number, Uint32Array> {
  const counts = new Set(runs.map(blockCount));
  return new Map([...counts].map((blocks) => [blocks, drawBlocks(blocks, random)]));
}

function drawBlocks(blocks: number, random: () => number): Uint32Array {
  const weights = new Uint32Array(blocks);
  for (let drawn = 0; drawn < blocks; drawn++) {
    const block = Math.floor(random() * blocks);
    weights[block] = (weights[block] ?? 0) + 1;
  }
  return weights;
}

/**
 * Returns the variance of a difference of shares, if failures were independent. For a side without any
 * failure, the bootstrap finds no variance. Source: Agresti and Caffo, 2000.
 */
function independentVariance({ base, other, change }: SidedFigure): number {
  if (change === "relative") return 0;
  const variance = (runs: readonly BlockedSamples[]): number => {
    let [part, whole] = [1, 2];
    for (const run of runs) {
      if (run.kind !== "ratio") continue;
      part += sum(run.parts);
      whole += sum(run.wholes);
    }
    const share = Math.min(1, part / whole);
    return (share * (1 - share)) / whole;
  };
  return variance(base) + variance(other);
}

/** Returns the degrees of freedom of a sum. Source: Welch, 1947. */
function joinFreedom(parts: readonly KnownVariance[]): number {
  const variance = sumBy(parts, (one) => one.variance);
  const spread = sumBy(parts, (one) => one.variance ** 2 / one.freedom);
  return spread === 0 ? Math.max(...parts.map(({ freedom }) => freedom)) : variance ** 2 / spread;
}
