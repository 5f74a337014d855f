import { median } from "@bearhug/metrics/statistics";
import { sumBy } from "@bearhug/metrics/sum";
import type { ScalabilityFit } from "@bearhug/sdk/result";

/** A step of a sweep, as input of the fit. */
export interface ScalingPoint {
  /** The measured mean number of operations in progress. */
  readonly concurrency: number;
  /** Operations per second. */
  readonly rate: number;
  /** The standard error of `rate`; null if unknown. */
  readonly rateError: number | null;
}

type Coefficients = Pick<ScalabilityFit, "lambda" | "sigma" | "kappa">;

/** One more than the three fitted coefficients, so that the fit can be judged. */
const minPoints = 4;

/**
 * Fits Gunther's Universal Scalability Law, X(N) = λN / (1 + σ(N−1) + κN(N−1)), to throughput against
 * concurrency. Returns null for fewer than four points.
 *
 * N/X = (1 + σ(N−1) + κN(N−1)) / λ is linear in 1/λ, σ/λ and κ/λ, and a small relative error of X is the same
 * relative error of N/X. So this is a least-squares problem of relative errors, with one exact solution
 * without negative coefficients. Source: N. J. Gunther, "Guerrilla Capacity Planning", chapters 4 and 5.
 */
export function fitScalability(points: readonly ScalingPoint[]): ScalabilityFit | null {
  const usable = points.filter(({ concurrency, rate }) => concurrency > 0 && rate > 0);
  if (usable.length < minPoints) return null;
  const weights = weightsOf(usable);
  const rows = usable.map(({ concurrency: n, rate }, index) => ({
    terms: [rate / n, (rate * (n - 1)) / n, rate * (n - 1)],
    weight: weights[index] ?? 1,
  }));
  const [inverse = 0, contention = 0, coherency = 0] = leastSquares(rows);
  if (inverse <= 0) return null;
  const found = { lambda: 1 / inverse, sigma: contention / inverse, kappa: coherency / inverse };
  const errors = usable.map(({ concurrency, rate }) => Math.abs(predictRate(found, concurrency) / rate - 1));
  const most = Math.max(...usable.map(({ concurrency }) => concurrency));
  return { ...found, peak: peakOf(found, most), worstError: Math.max(...errors), steps: usable.length };
}

/** Returns the throughput that a fit predicts at a concurrency. */
export function predictRate({ lambda, sigma, kappa }: Coefficients, concurrency: number): number {
  return (lambda * concurrency) / (1 + sigma * (concurrency - 1) + kappa * concurrency * (concurrency - 1));
}

/**
 * Returns the peak of throughput, at √((1−σ)/κ); null if nothing was measured beyond it, because it would be
 * a guess.
 */
function peakOf(found: Coefficients, most: number): ScalabilityFit["peak"] {
  const { sigma, kappa } = found;
  if (sigma >= 1 || kappa <= 0) return null;
  const concurrency = Math.sqrt((1 - sigma) / kappa);
  return concurrency > 0 && concurrency < most
    ? { concurrency, rate: predictRate(found, concurrency) }
    : null;
}

/**
 * Weights points by the inverse of their relative error. The error of a few seconds is itself imprecise, so
 * points that seem more exact than the median count like the median: otherwise chance could let one of them
 * decide the fit.
 */
function weightsOf(points: readonly ScalingPoint[]): number[] {
  const known = points.flatMap(({ rate, rateError }) => (rateError === null ? [] : [rateError / rate]));
  const middle = median(known) ?? 0;
  if (middle <= 0) return points.map(() => 1);
  return points.map(({ rate, rateError }) => middle / Math.max(middle, (rateError ?? 0) / rate));
}

interface Row {
  /** The factors of the coefficients; the sum of the products should be 1. */
  readonly terms: readonly number[];
  readonly weight: number;
}

/**
 * The sets of coefficients that may be positive; the others are 0. The solution is the best of the four
 * without a negative one.
 */
const choices = [[0], [0, 1], [0, 2], [0, 1, 2]] as const;

/** Returns the non-negative coefficients for which Σ terms × coefficients comes closest to 1 in all rows. */
function leastSquares(rows: readonly Row[]): number[] {
  let best: { coefficients: number[]; error: number } = { coefficients: [], error: Infinity };
  for (const chosen of choices) {
    const solved = solveFor(rows, chosen);
    if (solved === null || solved.some((one) => one < 0)) continue;
    const coefficients = [0, 1, 2].map((term) => solved[chosen.findIndex((one) => one === term)] ?? 0);
    const error = rows.reduce((sum, { terms, weight }) => {
      const total = terms.reduce((all, term, index) => all + term * (coefficients[index] ?? 0), 0);
      return sum + (weight * (total - 1)) ** 2;
    }, 0);
    if (error < best.error) best = { coefficients, error };
  }
  return best.coefficients;
}

/**
 * Solves least squares in some of the terms, by normal equations scaled to similar units; null if the terms
 * are dependent.
 */
function solveFor(rows: readonly Row[], chosen: readonly number[]): number[] | null {
  const units = chosen.map((term) => Math.max(...rows.map(({ terms }) => Math.abs(terms[term] ?? 0))));
  if (units.includes(0)) return null;
  const scaled = rows.map(({ terms, weight }) => ({
    values: chosen.map((term, index) => (weight * (terms[term] ?? 0)) / (units[index] ?? 1)),
    weight,
  }));
  const matrix = chosen.map((_, row) => [
    ...chosen.map((__, column) => sumBy(scaled, ({ values }) => (values[row] ?? 0) * (values[column] ?? 0))),
    sumBy(scaled, ({ values, weight }) => (values[row] ?? 0) * weight),
  ]);
  return solve(matrix)?.map((value, index) => value / (units[index] ?? 1)) ?? null;
}

/**
 * Solves a matrix, whose last column is the right-hand side, by Gaussian elimination with partial pivoting;
 * null if it is singular.
 */
function solve(matrix: readonly number[][]): number[] | null {
  let rows = matrix.map((row) => [...row]);
  for (const column of matrix.keys()) {
    const below = rows.slice(column);
    const pivot = below.reduce((best, row) => (size(row, column) > size(best, column) ? row : best));
    if (size(pivot, column) < 1e-12) return null;
    const unit = pivot.map((value) => value / (pivot[column] ?? 1));
    const others = rows.filter((row) => row !== pivot).map((row) => subtract(row, unit, row[column] ?? 0));
    rows = [...others.slice(0, column), unit, ...others.slice(column)];
  }
  return rows.map((row) => row.at(-1) ?? 0);
}

function size(row: readonly number[], column: number): number {
  return Math.abs(row[column] ?? 0);
}

function subtract(row: readonly number[], unit: readonly number[], factor: number): number[] {
  return row.map((value, index) => value - factor * (unit[index] ?? 0));
}
