import type { Estimate } from "./estimate.ts";
import type { Objective } from "./objective.ts";

/** An objective's figure at one load, for the line through all loads. */
export interface Point {
  readonly load: number;
  readonly judges: Objective["judges"];
  /** The share or mean, and its bound. */
  readonly value: number;
  readonly bound: number;
  readonly samples: number;
  /** Of a share: how many requests say as much as one independent one, and the degrees of freedom of that. */
  readonly designEffect: number;
  readonly degrees: number;
  /** Of a mean: its standard error, relative to it. */
  readonly relativeError: number;
}

/** The load at which an objective's figure meets its bound. */
export interface Crossing {
  readonly load: number;
  readonly standardError: number;
  /** The loads near the bound that the line goes through. */
  readonly loads: number;
  /** Growth of the figure's log odds, or log, for each unit of load. */
  readonly slope: number;
}

/** The line is trusted to so much of an offset: tails of queues are not quite exponential. */
const curvature = 0.2;
/** Offsets further from the bound say nothing of it: shares of 30 times as much, or a thirtieth. */
const furthest = 4;

export function pointOf({ judges, bound }: Objective, load: number, estimate: Estimate): Point {
  const { value, samples, designEffect, degrees, standardError } = estimate;
  const relativeError = standardError / value;
  return { load, judges, value, bound, samples, designEffect, degrees, relativeError };
}

/**
 * How far a figure is from its bound: log odds of the share, or log of the mean, less those of the bound. Half a request
 * of either kind is added to a share, since odds of 0 and 1 have no logarithm.
 */
function offsetOf({ judges, value, bound, samples, designEffect }: Point): number {
  if (judges === "mean") return Math.log(value / bound);
  const weight = samples / designEffect;
  return logOdds((value * weight + 0.5) / (weight + 1)) - logOdds(bound);
}

function logOdds(share: number): number {
  return Math.log(share / (1 - share));
}

interface Line {
  readonly centre: number;
  readonly height: number;
  readonly slope: number;
  readonly heightVariance: number;
  readonly slopeVariance: number;
  /** How much further the rows are from the line than their variances let expect; at least 1. */
  readonly misfit: number;
}

const rounds = 25;

/**
 * Fits a line through an objective's figures at all loads, on the log scale, and finds where it crosses the bound; null
 * where the trials do not show that the figure grows with the load. Shares are fitted by logistic regression (iteratively
 * reweighted least squares), so that a trial without one violation counts for what it says. Of a queue the line is theory: a
 * response time's tail falls off exponentially, at a rate proportional to the capacity that is left.
 */
export function findCrossing(points: readonly Point[]): Crossing | null {
  const near = shareEffect(points.filter((point) => Math.abs(offsetOf(point)) <= furthest));
  let line = fitLine(near.map((point) => ({ load: point.load, ...directly(point) })));
  for (let round = 0; round < rounds && line !== null; round++) {
    const { centre, height, slope }: Line = line;
    line = fitLine(
      near.map((point) => ({
        load: point.load,
        ...(point.judges === "mean"
          ? directly(point)
          : aroundLine(point, height + slope * (point.load - centre))),
      })),
    );
  }
  if (line === null || line.slope < Math.sqrt(line.slopeVariance)) return null;
  const { centre, height, slope, heightVariance, slopeVariance } = line;
  const load = centre - height / slope;
  const variance = (heightVariance + (load - centre) ** 2 * slopeVariance) * line.misfit;
  return load > 0 ? { load, slope, loads: near.length, standardError: Math.sqrt(variance) / slope } : null;
}

/**
 * Gives each point at least the mean design effect: that of a single trial is least where, by luck, few requests were late,
 * and such a trial must not weigh more for it.
 */
function shareEffect(points: readonly Point[]): Point[] {
  const degrees = points.reduce((sum, point) => sum + point.degrees, 0);
  const mean = points.reduce((sum, point) => sum + point.designEffect * point.degrees, 0) / degrees;
  return points.map((point) => ({ ...point, designEffect: Math.max(mean, point.designEffect) }));
}

interface Working {
  readonly offset: number;
  readonly variance: number;
}

function directly(point: Point): Working {
  const offset = offsetOf(point);
  const { judges, value, samples, designEffect, relativeError } = point;
  const weight = samples / designEffect;
  const share = (value * weight + 0.5) / (weight + 1);
  const variance = judges === "mean" ? relativeError ** 2 : 1 / (weight * share * (1 - share));
  return { offset, variance: variance + (curvature * offset) ** 2 };
}

/** The working response of logistic regression, around what the line predicts. */
function aroundLine({ value, bound, samples, designEffect }: Point, predicted: number): Working {
  const odds = Math.exp(Math.min(furthest * 2, Math.max(-furthest * 2, predicted)) + logOdds(bound));
  const share = odds / (1 + odds);
  const spread = share * (1 - share);
  const offset = logOdds(share) - logOdds(bound) + (value - share) / spread;
  return { offset, variance: designEffect / (samples * spread) + (curvature * predicted) ** 2 };
}

function fitLine(rows: readonly (Working & { readonly load: number })[]): Line | null {
  const total = rows.reduce((sum, { variance }) => sum + 1 / variance, 0);
  const mean = (of: (row: Working & { readonly load: number }) => number): number =>
    rows.reduce((sum, row) => sum + of(row) / row.variance, 0) / total;
  if (rows.length < 2) return null;
  const [centre, height] = [mean(({ load }) => load), mean(({ offset }) => offset)];
  const width = mean(({ load }) => (load - centre) ** 2);
  if (!(width > 0)) return null;
  const slope = mean(({ load, offset }) => (load - centre) * (offset - height)) / width;
  const residual = mean(({ load, offset }) => (offset - height - slope * (load - centre)) ** 2) * total;
  const misfit = rows.length > 2 ? Math.max(1, residual / (rows.length - 2)) : 1;
  return { centre, height, slope, heightVariance: 1 / total, slopeVariance: 1 / (total * width), misfit };
}
