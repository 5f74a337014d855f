import { mean } from "../statistics.ts";
import { sumBy } from "../sum.ts";

/** One figure of runs whose blocks were drawn one by one, as if they were independent. */
export interface DrawnFigure {
  /** The variance of the figure over the draws. */
  readonly variance: number;
  /** The part of it that independent values would cause. */
  readonly independent: number;
  /** The general level of the values in each block of time; null if there are none. */
  readonly levels: readonly (number | null)[];
}

/** A variance, with its Student's degrees of freedom. */
export interface KnownVariance {
  readonly variance: number;
  readonly freedom: number;
}

/**
 * The least and the greatest correlation between neighbouring blocks that is assumed for variation beyond
 * chance: 30 blocks show a lower one too vaguely, and cannot show a higher one.
 */
const [minCorrelation, maxCorrelation] = [0.5, 0.95];

/**
 * The number of standard errors that are added to the estimated correlation, which is more often
 * too low than too high.
 */
const caution = 0.25;

/**
 * Lower bounds: a trend through the whole run leaves hardly one independent block, but a target that falls
 * further and further behind must be found.
 */
const [minIndependent, minFreedom, minRemainder] = [3, 3, 0.2];

/**
 * Returns the variance of a figure whose blocks depend on each other: a queue near its limit stays long for
 * many seconds. The part that independent values explain stays as it is. The excess grows by (1 + φ) / (1 −
 * φ), as for the mean of a process whose neighbours correlate by φ (AR(1)); the number of independent blocks
 * is lower by the same factor.
 *
 * Sources: Bartlett, "On the Theoretical Specification and Sampling Properties of Autocorrelated
 * Time-Series", 1946; Kendall, "Note on Bias in the Estimation of Autocorrelation", 1954.
 */
export function correlatedVariance({ variance, independent, levels }: DrawnFigure): KnownVariance {
  const blocks = levels.length;
  const correlation = Math.min(maxCorrelation, Math.max(minCorrelation, correlationOf(levels)));
  const beyond = Math.max(0, variance - independent);
  const sum = variance - beyond + (beyond * (1 + correlation)) / (1 - correlation);
  const effective = variance === 0 ? blocks : (blocks * variance) / sum;
  // The variance of blocks around their own mean does not include the variance of that mean.
  const unbiased = sum / Math.max(minRemainder, 1 - 1 / effective);
  return {
    variance: Math.min(unbiased, (blocks / minIndependent) * variance),
    freedom: Math.max(minFreedom, effective - 1),
  };
}

/**
 * Returns the correlation of neighbouring levels, without the bias of short series, and with some caution.
 */
function correlationOf(levels: readonly (number | null)[]): number {
  const known = levels.filter((level) => level !== null);
  const centre = mean(known);
  const deviations = levels.map((level) => (level === null ? 0 : level - centre));
  const squares = sumBy(deviations, (one) => one ** 2);
  if (squares === 0) return 0;
  const products = deviations.slice(1).reduce((sum, one, at) => sum + one * (deviations[at] ?? 0), 0);
  const found = products / squares;
  const bias = (1 + 3 * Math.max(0, found)) / levels.length;
  return found + bias + caution * Math.sqrt((1 - found ** 2) / levels.length);
}
