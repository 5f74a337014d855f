import { studentQuantile } from "@bearhug/sdk/internal";

/** Fewer blocks say too little about how much they vary. */
const leastBlocks = 5;

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
  return (studentQuantile(0.975, freedom) * Math.sqrt((squares * blocks.length) / freedom)) / whole;
}
