/** Below 2 GiB, V8 lets the old generation grow by half as much between two collections, or by less. */
const mostMb = { withFetch: 2048, without: 1536 };
const leastMb = 384;

/** All workers together may fill this share of the machine's memory. */
const machineShare = 0.75;

/**
 * V8's limit for the heap of a worker: a test that leaks must run into it before the machine runs out of memory. `fetch` leaves
 * much that only a full collection frees. Where no code calls it, V8 uses less memory below a lower limit.
 */
export function heapLimitMb(workers: number, mayFetch: boolean, machineBytes: number): number {
  const mb = (machineShare * machineBytes) / 2 ** 20 / (workers + 1);
  return Math.max(leastMb, Math.min(mayFetch ? mostMb.withFetch : mostMb.without, Math.floor(mb)));
}

/**
 * The most that a heap may take. V8 begins a collection at the latest halfway between what survived the last one and the
 * limit: when a heap takes three quarters of the limit, about half of the limit is live. Near the limit, V8 collects over and
 * over, and when even that does not help it ends the whole process, results and all.
 */
export function mostUsedBytes(limitMb: number): number {
  return 0.75 * limitMb * 2 ** 20;
}
