import type { IntervalSnapshot } from "@bearhug/sdk";

/** The twelfth second of a test of thirty, with these differences. */
export function snapshotOf(parts: Partial<IntervalSnapshot> = {}): IntervalSnapshot {
  return {
    atMs: 12_004,
    elapsedMs: 12_410,
    plannedMs: 30_000,
    isWarmup: false,
    vus: 50,
    iterations: 1204,
    requests: 16_048,
    requestRate: 178.3,
    failedRate: 0,
    isP95LowerBound: false,
    p95Ms: 21.04,
    receivedBytes: 51_234,
    expectedBytes: 128_085,
    dropped: 0,
    ...parts,
  };
}
