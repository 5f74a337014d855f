import { sum, sumBy } from "@bearhug/metrics/sum";

import type { Point } from "./points.ts";

/** The load at which an objective's figure reaches its bound, estimated from all trials. */
export interface Limit {
  /** The index of the objective that sets the limit. */
  readonly objective: number;
  /** The median: the limit is as likely to be above as below. */
  readonly load: number;
  /** The limit is below `low`, or above `high`, with a probability of 2.5 % each. */
  readonly low: number;
  readonly high: number;
  /** Half the range that holds the limit with a probability of 68 %. */
  readonly spread: number;
  /** The growth of a share's log odds, or a mean's logarithm, when the load doubles. */
  readonly steepness: number;
}

const risk = 0.025;
/**
 * The relative uncertainty of an offset along a line, because the tails of queues are not exactly
 * exponential.
 */
const curvature = 0.2;
/**
 * The limit of offsets. A figure further from its bound (a twentieth or 20 times of the share) only shows on
 * which side it is.
 */
const maxOffset = 3;
/**
 * The share of degrees of freedom that counts: batches of a queue are correlated, so they show less of the
 * spread than their number suggests.
 */
const degreesShare = 0.5;

/**
 * The prior of a line's steepness. In an M/M/1 queue, the steepness is the capacity times the limit of
 * response time, usually 10 to 50; for a server that rejects requests, it is 5 to 100.
 */
const ofQueues = steepnessesAround(20);
/** The prior for the logarithm of a figure that grows in proportion to the load. */
const ofProportions = steepnessesAround(1);

interface Steepness {
  readonly steepness: number;
  readonly prior: number;
}

function steepnessesAround(usual: number): readonly Steepness[] {
  return Array.from({ length: 25 }, (_, index) => {
    const steepness = (usual / 10) * 300 ** (index / 24);
    return { steepness, prior: Math.exp(-((Math.log(steepness / usual) / Math.log(3)) ** 2) / 2) };
  });
}

/** The sizes of the grids of loads. Each grid covers the range that the one before it left. */
const grids = [60, 60, 100];

/**
 * Finds the limit by Bayes' rule on a grid, as psychometric thresholds are found (Watson and Pelli 1983,
 * "QUEST"; Kontsevich and Tyler 1999): the likelihood of each pair of a limit and a steepness is that of the
 * figures at all loads, given the line that the pair defines. For a queue, the line follows from theory: the
 * tail of response times falls off exponentially, at a rate proportional to the remaining capacity. Returns
 * null if all figures are on one side of the bound.
 */
export function locateLimit(points: readonly Point[], objective: number): Limit | null {
  if (!points.some(({ value, bound }) => value > bound)) return null;
  if (!points.some(({ value, bound }) => value <= bound)) return null;
  const rows = points.map(toRow);
  const steepnesses = points.some(({ isProportional }) => isProportional) ? ofProportions : ofQueues;
  const degrees = Math.max(3, sumBy(points, (point) => point.degrees) * degreesShare);
  const loads = rows.map(({ load }) => load);
  let range = { from: Math.min(...loads) / 2, to: Math.max(...loads) * 2 };
  let cells: readonly Cell[] = [];
  for (const size of grids) {
    cells = weighLoads({ rows, steepnesses, degrees }, range, size);
    const [from, to] = [quantile(cells, 0.0005), quantile(cells, 0.9995)];
    const margin = (to / from) ** 0.1;
    range = { from: from / margin, to: to * margin };
  }
  const load = quantile(cells, 0.5);
  return {
    objective,
    load,
    low: quantile(cells, risk),
    high: quantile(cells, 1 - risk),
    spread: (quantile(cells, 0.84) - quantile(cells, 0.16)) / 2,
    steepness: likeliestSteepness(rows, steepnesses, load),
  };
}

interface Row {
  readonly load: number;
  readonly isMean: boolean;
  readonly boundOdds: number;
  /** The share, or the distance of the mean from its bound on the log scale. */
  readonly value: number;
  /** The number of independent requests for a share; the inverse variance for a mean. */
  readonly weight: number;
}

function toRow({ load, judges, value, bound, effectiveSamples, relativeError }: Point): Row {
  const isMean = judges === "mean";
  const boundOdds = bound / (1 - bound);
  if (isMean) {
    const offset = Math.log(value / bound);
    return {
      load,
      isMean,
      boundOdds,
      value: clampOffset(offset),
      weight: 1 / (relativeError ** 2 + (curvature * offset) ** 2),
    };
  }
  // Add half a request of either kind, because shares of 0 and 1 have no log odds.
  const share = (value * effectiveSamples + 0.5) / (effectiveSamples + 1);
  const offset = clampOffset(Math.log(share / (1 - share) / boundOdds));
  const information = effectiveSamples * share * (1 - share);
  return {
    load,
    isMean,
    boundOdds,
    value,
    weight: effectiveSamples / (1 + information * (curvature * offset) ** 2),
  };
}

function clampOffset(offset: number): number {
  return Math.max(-maxOffset, Math.min(maxOffset, offset));
}

interface Cell {
  readonly load: number;
  readonly mass: number;
}

interface Evidence {
  readonly rows: readonly Row[];
  readonly steepnesses: readonly Steepness[];
  readonly degrees: number;
}

/**
 * Returns the probability that each load of a grid is the limit, not normalized. Uses Student's distribution,
 * because the spread is known with few degrees of freedom.
 */
function weighLoads(
  { rows, steepnesses, degrees }: Evidence,
  { from, to }: { from: number; to: number },
  size: number,
): Cell[] {
  const loads = Array.from({ length: size + 1 }, (_, index) => from * (to / from) ** (index / size));
  const fits = loads.map((load) => steepnesses.map(({ steepness }) => fitOf(rows, load, steepness)));
  const best = Math.max(...fits.flat());
  return loads.map((load, index) => {
    const masses = steepnesses.map(({ prior }, at) => {
      const deviance = 2 * (best - (fits[index]?.[at] ?? Number.NEGATIVE_INFINITY));
      return prior * (1 + deviance / degrees) ** (-(degrees + 1) / 2);
    });
    return { load, mass: sum(masses) };
  });
}

/**
 * Returns the log likelihood of a line. Shares use the binomial distribution, so that trials without a
 * violation count correctly.
 */
function fitOf(rows: readonly Row[], limit: number, steepness: number): number {
  return rows.reduce((sum, { load, isMean, boundOdds, value, weight }) => {
    const offset = clampOffset(steepness * (load / limit - 1));
    if (isMean) return sum - (weight * (value - offset) ** 2) / 2;
    const logOdds = Math.log(boundOdds) + offset;
    return sum + weight * (value * logOdds - Math.log1p(Math.exp(logOdds)));
  }, 0);
}

function likeliestSteepness(rows: readonly Row[], steepnesses: readonly Steepness[], load: number): number {
  const fits = steepnesses.map(({ steepness, prior }) => fitOf(rows, load, steepness) + Math.log(prior));
  return steepnesses[fits.indexOf(Math.max(...fits))]?.steepness ?? 1;
}

function quantile(cells: readonly Cell[], share: number): number {
  let left = share * sumBy(cells, ({ mass }) => mass);
  const index = cells.findIndex(({ mass }) => (left -= mass) <= 0);
  const [before, cell, after] = [cells[index - 1], cells[index], cells[index + 1]];
  if (cell === undefined) return cells.at(-1)?.load ?? 0;
  const [from, to] = [before ?? cell, after ?? cell].map(({ load }) => Math.sqrt(load * cell.load));
  return (to ?? 0) + (((to ?? 0) - (from ?? 0)) * left) / cell.mass;
}
