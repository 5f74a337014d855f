/** A share of numbered work: number i belongs to the stripe i mod count. */
export interface Stripe {
  readonly index: number;
  readonly count: number;
}

/** The whole work. */
export const wholeStripe: Stripe = { index: 0, count: 1 };

/**
 * The place of a worker: its machine has one of several shards of the work, and the worker a stripe of that
 * shard.
 */
export interface StripePlace {
  readonly shard: Stripe;
  readonly worker: Stripe;
}

/** Returns how many of the numbers 0 … total − 1 belong to the stripe. */
export function stripeSize(total: number, { index, count }: Stripe): number {
  return Math.floor((total - 1 - index) / count) + 1;
}

/** Returns the `position`-th number (from 0) of the stripe. */
export function stripeNumber(position: number, { index, count }: Stripe): number {
  return index + position * count;
}

/** Returns the numbers of 0 … total − 1 that belong to the stripe. */
export function stripeNumbers(total: number, stripe: Stripe): number[] {
  return Array.from({ length: stripeSize(total, stripe) }, (_, position) => stripeNumber(position, stripe));
}

/**
 * Returns the stripe of one worker. Together, the stripes of all places cover the work exactly once, even if
 * shards have different numbers of workers.
 */
export function stripeAt({ shard, worker }: StripePlace): Stripe {
  return { index: stripeNumber(worker.index, shard), count: shard.count * worker.count };
}

/**
 * Returns a worker's place among those that get at least one of `total` things, such as virtual users: work
 * that needs one is split among these workers alone. Null for a worker that gets none.
 */
export function placeAmong({ shard, worker }: StripePlace, total: number): StripePlace | null {
  const shards = { index: shard.index, count: Math.min(shard.count, total) };
  if (shards.index >= shards.count) return null;
  const workers = { index: worker.index, count: Math.min(worker.count, stripeSize(total, shards)) };
  return workers.index < workers.count ? { shard: shards, worker: workers } : null;
}
