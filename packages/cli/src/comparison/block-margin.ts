/** Fewer blocks say too little about how much they vary. */
const leastBlocks = 5;

/** The normal distribution's 97.5 % quantile. */
const quantile = 1.959964;

/** One block's share in a ratio: requests and seconds, say, or failed requests and requests. */
export interface BlockShare {
  readonly part: number;
  readonly whole: number;
}

/**
 * The margin of the 95 % confidence interval of a ratio: all parts by all wholes. Measurements may depend on each other
 * within a block, but hardly from one to the next. Null for fewer than 5 blocks.
 *
 * Source: the ratio estimator of cluster samples, Cochran, "Sampling Techniques", chapter 6.
 */
export function blockMargin(given: readonly BlockShare[]): number | null {
  const blocks = given.filter(({ whole }) => whole > 0);
  if (blocks.length < leastBlocks) return null;
  const part = blocks.reduce((sum, one) => sum + one.part, 0);
  const whole = blocks.reduce((sum, one) => sum + one.whole, 0);
  const squares = blocks.reduce((sum, one) => sum + (one.part - (part / whole) * one.whole) ** 2, 0);
  const freedom = blocks.length - 1;
  return (studentQuantile(freedom) * Math.sqrt((squares * blocks.length) / freedom)) / whole;
}

/** Student's 97.5 % quantile. Source: Abramowitz and Stegun, 26.7.5; off by less than 0.3 % from 4 degrees of freedom on. */
function studentQuantile(freedom: number): number {
  const z = quantile;
  const terms = [
    (z ** 3 + z) / 4,
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96,
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384,
  ];
  return terms.reduce((sum, term, power) => sum + term / freedom ** (power + 1), z);
}
