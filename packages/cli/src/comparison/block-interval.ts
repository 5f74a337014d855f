/** A mean of fewer blocks has no interval. */
const leastBlocks = 5;

/** The normal distribution's 97.5 % quantile. */
const quantile = 1.959964;

/**
 * The 95 % confidence interval of a figure of a whole run, from the same figure of its blocks, which may depend on each other
 * within a block but hardly from one to the next; null for fewer than 5 blocks. Not below 0.
 *
 * Source: sectioning, Asmussen and Glynn, "Stochastic Simulation", chapter III.5.
 */
export function blockInterval(
  whole: number,
  blocks: readonly number[],
): readonly [low: number, high: number] | null {
  if (blocks.length < leastBlocks) return null;
  const freedom = blocks.length - 1;
  const squares = blocks.reduce((sum, one) => sum + (one - whole) ** 2, 0);
  const half = studentQuantile(freedom) * Math.sqrt(squares / freedom / blocks.length);
  return [Math.max(0, whole - half), whole + half];
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
