/** Returns the quantile of the standard normal distribution for a probability from 0 to 1. */
export function normalQuantile(probability: number): number {
  return quantileOf(probability, {
    above: (x) => complementaryError(x / Math.SQRT2) / 2,
    density: (x) => Math.exp(-(x ** 2) / 2) / Math.sqrt(2 * Math.PI),
  });
}

/**
 * Returns the quantile of Student's t-distribution. `freedom`, the degrees of freedom, need not be a whole
 * number.
 */
export function studentQuantile(probability: number, freedom: number): number {
  const scale = Math.exp(-logBeta(freedom / 2, 0.5)) / Math.sqrt(freedom);
  return quantileOf(probability, {
    above: (x) => studentTail(x, freedom),
    density: (x) => scale * Math.exp((-(freedom + 1) / 2) * Math.log1p(x ** 2 / freedom)),
  });
}

/** Returns the probability that a variable with Student's t-distribution is greater than `t`. */
export function studentTail(t: number, freedom: number): number {
  if (t < 0) return 1 - studentTail(-t, freedom);
  const square = t ** 2;
  return incompleteBeta(freedom / 2, 0.5, freedom / (freedom + square), square / (freedom + square)) / 2;
}

/** A distribution that is symmetric around 0. */
interface Symmetric {
  /** Returns the probability of a value greater than `x`, which is positive. */
  readonly above: (x: number) => number;
  readonly density: (x: number) => number;
}

function quantileOf(probability: number, distribution: Symmetric): number {
  if (probability > 0.5) return upperQuantile(1 - probability, distribution);
  return probability === 0.5 ? 0 : -upperQuantile(probability, distribution);
}

/**
 * Finds the quantile by Newton's method on the logarithm of the tail, which is nearly linear; by bisection if
 * a step leaves the bounds.
 */
function upperQuantile(tail: number, { above, density }: Symmetric): number {
  if (!(tail > 0)) return Number.POSITIVE_INFINITY;
  let [low, high] = [0, 1];
  while (above(high) > tail) [low, high] = [high, high * 2];
  let x = (low + high) / 2;
  for (let step = 0; step < maxSteps; step++) {
    const reached = above(x);
    if (reached > tail) low = x;
    else high = x;
    const newton = x + (reached * Math.log(reached / tail)) / density(x);
    const next = newton >= low && newton <= high ? newton : (low + high) / 2;
    if (Math.abs(next - x) <= relativeTolerance * next) return next;
    x = next;
  }
  return x;
}

const maxSteps = 200;
const relativeTolerance = 1e-14;

/** Returns the complementary error function of a positive number: Abramowitz and Stegun, 7.1.6 and 7.1.14. */
function complementaryError(x: number): number {
  const factor = Math.exp(-(x ** 2)) / Math.sqrt(Math.PI);
  if (x < 2) {
    let [term, sum] = [2 * x, 0];
    for (let n = 1; term > sum * Number.EPSILON; n++) {
      sum += term;
      term *= (2 * x ** 2) / (2 * n + 1);
    }
    return 1 - factor * sum;
  }
  let fraction = x;
  for (let n = 100; n >= 1; n--) fraction = x + n / 2 / fraction;
  return factor / fraction;
}

/**
 * Returns the regularized incomplete beta function at `x`. `y` is `1 - x`, which the caller computes because
 * the subtraction would lose digits for an `x` near 1.
 * Source: the continued fraction of Abramowitz and Stegun, 26.5.8, evaluated forwards (Lentz's method).
 */
function incompleteBeta(a: number, b: number, x: number, y: number): number {
  if (x === 0) return 0;
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(b, a, y, x);
  let above = 1;
  let below = 1 / notZero(1 - ((a + b) * x) / (a + 1));
  let product = below;
  for (let n = 1; n < maxTerms; n++) {
    const even = (n * (b - n) * x) / ((a + 2 * n - 1) * (a + 2 * n));
    const odd = (-(a + n) * (a + b + n) * x) / ((a + 2 * n) * (a + 2 * n + 1));
    const before = product;
    for (const term of [even, odd]) {
      below = 1 / notZero(1 + term * below);
      above = notZero(1 + term / above);
      product *= above * below;
    }
    if (Math.abs(product - before) <= Math.abs(product) * Number.EPSILON) break;
  }
  return (Math.exp(a * Math.log(x) + b * Math.log(y) - logBeta(a, b)) / a) * product;
}

const maxTerms = 10_000;

function notZero(value: number): number {
  return value === 0 ? Number.MIN_VALUE : value;
}

function logBeta(a: number, b: number): number {
  return logGamma(a) + logGamma(b) - logGamma(a + b);
}

/**
 * Returns the logarithm of the gamma function of a positive number by Stirling's series (Abramowitz and
 * Stegun, 6.1.41). The series needs 10 or more, so a smaller number is first increased by a whole number.
 */
function logGamma(x: number): number {
  let [large, product] = [x, 1];
  for (; large < 10; large++) product *= large;
  const square = 1 / large ** 2;
  const series =
    (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square * (1 / 1680 - square / 1188)))) / large;
  return (large - 0.5) * Math.log(large) - large + Math.log(2 * Math.PI) / 2 + series - Math.log(product);
}

/** The 97.5 % quantile of the normal distribution: 95 % of it lie within so many standard deviations. */
const deviations: number = normalQuantile(0.975);

/**
 * Returns the ranks, from 1, of the two sorted samples between which a percentile lies with 95 % confidence,
 * for any distribution of the samples; null if there are too few. Assumes independent samples.
 *
 * Source: the normal approximation of the binomial order-statistic interval, Le Boudec, "Performance
 * Evaluation of Computer and Communication Systems", chapter 2: ⌊np − 1.96 √(np(1−p))⌋ and ⌈np + 1.96
 * √(np(1−p))⌉ + 1.
 */
export function confidenceRanks(
  percentile: number,
  samples: number,
): readonly [low: number, high: number] | null {
  const share = percentile / 100;
  const spread = deviations * Math.sqrt(samples * share * (1 - share));
  const low = Math.floor(samples * share - spread);
  const high = Math.ceil(samples * share + spread) + 1;
  return low >= 1 && high <= samples ? [low, high] : null;
}

/**
 * Returns the least number of samples that gives a 95 % confidence interval for a percentile: 110 for p95,
 * 563 for p99. Infinite for 0 and 100, for which samples give no bounds on both sides.
 */
export function samplesForConfidence(percentile: number): number {
  const share = percentile / 100;
  const rarer = Math.min(share, 1 - share);
  if (rarer <= 0) return Number.POSITIVE_INFINITY;
  // Both ranks exist from n·rarer − spread(n) ≥ 1 on, which is quadratic in √n.
  const deviation = deviations * Math.sqrt(share * (1 - share));
  const root = (deviation + Math.sqrt(deviation ** 2 + 4 * rarer)) / (2 * rarer);
  let samples = Math.max(1, Math.floor(root ** 2) - 1);
  while (confidenceRanks(percentile, samples) === null) samples++;
  return samples;
}
