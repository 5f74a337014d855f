import { randomSource, type RandomSource } from "../../../plan/src/pacing/random-source.ts";
import { turnAt } from "../../../plan/src/pacing/turns.ts";
import type { PairedFigure } from "../../src/comparison/compare-turns.ts";

export interface SimulatedRun {
  readonly seed: number;
  readonly variants: number;
  readonly blocks: number;
  /** The times of each variant are multiplied by this; 1 for equal ones. */
  readonly factors: readonly number[];
}

const samplesPerTurn = 25;

/**
 * Simulates a run against a server whose times depend on each other: a drift, a slow wave (AR(1), between
 * requests), bursts that last for several turns, and a long tail. Returns the figures of each variant against
 * the first.
 */
export function simulateRun({ seed, variants, blocks, factors }: SimulatedRun): PairedFigure[] {
  const rule = { seed, variants, turnMs: 100, changeoverMs: 20 };
  const latency = latencies(seed);
  const turns = Array.from({ length: blocks * variants }, (_, number) => {
    const { block, variant } = turnAt(rule, (number + 0.5) * rule.turnMs);
    const factor = factors[variant] ?? 1;
    const times = Float64Array.from({ length: samplesPerTurn }, () => latency() * factor).sort();
    return { block, variant, times };
  });
  const figureOf = (variant: number, figure: (sorted: Float64Array) => number): number[] =>
    turns.filter((turn) => turn.variant === variant).map(({ times }) => figure(times));
  const others = Array.from({ length: variants - 1 }, (_, index) => index + 1);
  return others.flatMap((variant) =>
    figures.map((figure) => ({
      base: figureOf(0, figure),
      other: figureOf(variant, figure),
      change: "relative",
    })),
  );
}

/** The rate of a closed model, and percentiles. */
const figures: readonly ((sorted: Float64Array) => number)[] = [
  (sorted) => sorted.length / sorted.reduce((sum, one) => sum + one, 0),
  ...[0.5, 0.9, 0.99].map(
    (share) => (sorted: Float64Array) => sorted[Math.ceil(share * sorted.length) - 1] ?? 0,
  ),
];

function latencies(seed: number): () => number {
  const random = randomSource(seed, 77);
  const driftPerRequest = (random() - 0.5) * 0.002;
  let level = 0;
  let wave = 0;
  let burstLeft = 0;
  return () => {
    level += driftPerRequest;
    wave = 0.98 * wave + 0.06 * gaussian(random);
    if (burstLeft > 0) burstLeft--;
    else if (random() < 0.004) burstLeft = Math.floor(random() * 80);
    return Math.exp(level + wave + 0.3 * gaussian(random)) * (burstLeft > 0 ? 4 : 1);
  };
}

/** Draws from the standard normal distribution (Box and Muller). */
function gaussian(random: RandomSource): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
