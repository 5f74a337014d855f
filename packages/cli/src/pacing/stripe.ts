/** One worker's share of numbered work: number i belongs to worker i mod count. */
export interface Stripe {
  readonly index: number;
  readonly count: number;
}

/** Returns the count of the numbers 0 … total − 1 that belong to the stripe. */
export function stripeSize(total: number, { index, count }: Stripe): number {
  return Math.floor((total - 1 - index) / count) + 1;
}

/** The `position`-th number (from 0) of the stripe. */
export function stripeNumber(position: number, { index, count }: Stripe): number {
  return index + position * count;
}
