import type { Clock } from "@bearhug/plan/pacing/clock";
import type { Stripe } from "@bearhug/plan/pacing/stripe";

const shortestLookMs = 2;
const longestLookMs = 50;
/** So many looks lie before the amount at least, as fast as data comes. */
const looksAhead = 4;
/** What is forgotten with each look of a rate that was higher: after a burst comes another. */
const forgotten = 0.1;

/** When to look again: the sooner, the nearer the amount is, at the highest rate that was seen of late. */
export function nextLookMs(remainingBytes: number, bytesPerMs: number): number {
  const reachedInMs = bytesPerMs === 0 ? Number.POSITIVE_INFINITY : remainingBytes / bytesPerMs;
  return Math.max(shortestLookMs, Math.min(longestLookMs, reachedInMs / looksAhead));
}

/** The part of the most data that a machine receives before it stops, in bytes: shards have equal parts. */
export function shareOfData(maxDataBytes: number | null, shard: Stripe | null): number | null {
  return maxDataBytes === null || shard === null ? maxDataBytes : maxDataBytes / shard.count;
}

/** Calls back once when so much was received, the warm-up included. Returns how to end the watch. */
export function watchData(
  clock: Clock,
  countReceived: () => number,
  maxDataBytes: number | null,
  onReached: () => void,
): () => void {
  if (maxDataBytes === null) return () => undefined;
  let atMs = clock.now();
  let received = countReceived();
  // Nothing is known yet: as if all could come at once.
  let bytesPerMs = maxDataBytes / shortestLookMs / looksAhead;
  let cancel: () => void = () => undefined;
  const arm = (): void => {
    cancel = clock.at(clock.now() + nextLookMs(maxDataBytes - received, bytesPerMs), look);
  };
  const look = (): void => {
    const [beforeMs, before] = [atMs, received];
    [atMs, received] = [clock.now(), countReceived()];
    if (received >= maxDataBytes) {
      onReached();
      return;
    }
    bytesPerMs = Math.max((received - before) / (atMs - beforeMs), bytesPerMs * (1 - forgotten));
    arm();
  };
  arm();
  return () => {
    cancel();
  };
}
