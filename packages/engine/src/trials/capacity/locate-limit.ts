import type { Point } from "./points.ts";

/** The load at which an objective's figure meets its bound, from all trials. */
export interface Limit {
  /** The objective that sets it, by its index. */
  readonly objective: number;
  /** As likely too high as too low. */
  readonly load: number;
  /** The limit is below `low`, or above `high`, with a probability of 2.5 % each. */
  readonly low: number;
  readonly high: number;
  /** Half the range that holds the limit with a probability of 68 %. */
  readonly spread: number;
  /** Growth of the figure's log odds, or log, while the load doubles. */
  readonly steepness: number;
}

const risk = 0.025;
/** Lines are trusted to so much of an offset: tails of queues are not quite exponential. */
const curvature = 0.2;
/** Figures further from the bound say on which side of it they are, and no more: a twentieth or 20 times of the share. */
const furthest = 3;
/** Requests in a queue depend on each other, so its batches say less about the spread than their number promises. */
const degreesShare = 0.5;

/**
 * How steep lines are before anything is measured: in an M/M/1 queue the steepness is the capacity times the limit of response
 * time, 10 to 50 for usual ones; a server that refuses requests has 5 to 100.
 */
const ofQueues = steepnessesAround(20);
/** The logarithm of a figure that grows as the load does. */
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

/** The grid of loads: from a wide one to one that holds what is left. */
const grids = [60, 60, 100];

/**
 * Finds the limit by Bayes' rule on a grid, as psychometric thresholds are found (Watson and Pelli 1983, "QUEST"; Kontsevich
 * and Tyler 1999): each pair of a limit and a steepness is as likely as a line through them makes the figures at all
 * loads. Of a queue the line is theory: a response time's tail falls off exponentially, at a rate proportional to the
 * capacity that is left. Null where the figures are all on one side of the bound.
 */
export function locateLimit(points: readonly Point[], objective: number): Limit | null {
  if (!points.some(({ value, bound }) => value > bound)) return null;
  if (!points.some(({ value, bound }) => value <= bound)) return null;
  const rows = points.map(toRow);
  const steepnesses = points.some(({ isProportional }) => isProportional) ? ofProportions : ofQueues;
  const degrees = Math.max(3, points.reduce((sum, point) => sum + point.degrees, 0) * degreesShare);
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
  /** The share, or how far the mean is from its bound on the log scale. */
  readonly value: number;
  /** Independent requests of a share; the inverse variance of a mean. */
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
      value: within(offset),
      weight: 1 / (relativeError ** 2 + (curvature * offset) ** 2),
    };
  }
  // Half a request of either kind is added, since odds of 0 and 1 have no logarithm.
  const share = (value * effectiveSamples + 0.5) / (effectiveSamples + 1);
  const offset = within(Math.log(share / (1 - share) / boundOdds));
  const information = effectiveSamples * share * (1 - share);
  return {
    load,
    isMean,
    boundOdds,
    value,
    weight: effectiveSamples / (1 + information * (curvature * offset) ** 2),
  };
}

function within(offset: number): number {
  return Math.max(-furthest, Math.min(furthest, offset));
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

/** The probability of each load of a grid to be the limit, unscaled. The spread is known with few degrees: as Student's. */
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
    return { load, mass: masses.reduce((sum, mass) => sum + mass, 0) };
  });
}

/** The log likelihood of a line: by the binomial distribution, so that a trial without one violation counts for what it says. */
function fitOf(rows: readonly Row[], limit: number, steepness: number): number {
  return rows.reduce((sum, { load, isMean, boundOdds, value, weight }) => {
    const offset = within(steepness * (load / limit - 1));
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
  let left = share * cells.reduce((sum, { mass }) => sum + mass, 0);
  const index = cells.findIndex(({ mass }) => (left -= mass) <= 0);
  const [before, cell, after] = [cells[index - 1], cells[index], cells[index + 1]];
  if (cell === undefined) return cells.at(-1)?.load ?? 0;
  const [from, to] = [before ?? cell, after ?? cell].map(({ load }) => Math.sqrt(load * cell.load));
  return (to ?? 0) + (((to ?? 0) - (from ?? 0)) * left) / cell.mass;
}
