import type { Clock } from "@bearhug/plan/pacing/clock";
import type { Stripe } from "@bearhug/plan/pacing/stripe";

const minCheckMs = 2;
const maxCheckMs = 50;
/** The least number of checks before the limit is reached, at the recent highest rate. */
const checksAhead = 4;
/** The share of a higher past rate that each check forgets. Slowly, because one burst may follow another. */
const decay = 0.1;

/**
 * Returns the time to the next check. It is the shorter, the sooner the recent highest rate would reach the
 * limit.
 */
export function nextCheckMs(remaining: number, perMs: number): number {
  const reachedInMs = perMs === 0 ? Number.POSITIVE_INFINITY : remaining / perMs;
  return Math.max(minCheckMs, Math.min(maxCheckMs, reachedInMs / checksAhead));
}

/** Returns the part of a limit at which this machine stops: shards have equal parts. */
export function shareOfLimit(limit: number | null, shard: Stripe | null): number | null {
  return limit === null || shard === null ? limit : limit / shard.count;
}

/** Calls back once when the count reaches the limit. Returns a function that ends the watch. */
export function watchLimit(
  clock: Clock,
  count: () => number,
  limit: number | null,
  onReached: () => void,
): () => void {
  if (limit === null) return () => undefined;
  let atMs = clock.now();
  let counted = count();
  // The rate is unknown yet: start with the shortest interval.
  let perMs = limit / minCheckMs / checksAhead;
  let cancel: () => void = () => undefined;
  const arm = (): void => {
    cancel = clock.at(clock.now() + nextCheckMs(limit - counted, perMs), check);
  };
  const check = (): void => {
    const [beforeMs, before] = [atMs, counted];
    [atMs, counted] = [clock.now(), count()];
    if (counted >= limit) {
      onReached();
      return;
    }
    perMs = Math.max((counted - before) / (atMs - beforeMs), perMs * (1 - decay));
    arm();
  };
  arm();
  return () => cancel();
}
