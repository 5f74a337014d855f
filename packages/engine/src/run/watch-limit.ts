import type { Clock } from "@bearhug/plan/pacing/clock";
import type { Stripe } from "@bearhug/plan/pacing/stripe";

const shortestLookMs = 2;
const longestLookMs = 50;
/** So many looks lie before the limit at least, at the highest rate of late. */
const looksAhead = 4;
/** The share of a higher rate that each look forgets: after a burst comes another. */
const forgotten = 0.1;

/** When to look again: the sooner, the nearer the limit is, at the highest rate that was seen of late. */
export function nextLookMs(remaining: number, perMs: number): number {
  const reachedInMs = perMs === 0 ? Number.POSITIVE_INFINITY : remaining / perMs;
  return Math.max(shortestLookMs, Math.min(longestLookMs, reachedInMs / looksAhead));
}

/** The part of a limit at which a machine stops: shards have equal parts. */
export function shareOfLimit(most: number | null, shard: Stripe | null): number | null {
  return most === null || shard === null ? most : most / shard.count;
}

/** Calls back once when the count has reached the limit. Returns how to end the watch. */
export function watchLimit(
  clock: Clock,
  count: () => number,
  most: number | null,
  onReached: () => void,
): () => void {
  if (most === null) return () => undefined;
  let atMs = clock.now();
  let counted = count();
  // Nothing is known yet: as if all could come at once.
  let perMs = most / shortestLookMs / looksAhead;
  let cancel: () => void = () => undefined;
  const arm = (): void => {
    cancel = clock.at(clock.now() + nextLookMs(most - counted, perMs), look);
  };
  const look = (): void => {
    const [beforeMs, before] = [atMs, counted];
    [atMs, counted] = [clock.now(), count()];
    if (counted >= most) {
      onReached();
      return;
    }
    perMs = Math.max((counted - before) / (atMs - beforeMs), perMs * (1 - forgotten));
    arm();
  };
  arm();
  return () => {
    cancel();
  };
}
