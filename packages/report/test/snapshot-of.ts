import type { IntervalSnapshot, ScenarioSnapshot } from "@bearhug/sdk";

/** Returns a snapshot after 12 s of a 30 s test, with these fields replaced. */
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
    p50Ms: 8.31,
    p95Ms: 21.04,
    p99Ms: 48.6,
    isP50LowerBound: false,
    isP95LowerBound: false,
    isP99LowerBound: false,
    receivedBytes: 51_234,
    expectedBytes: 128_085,
    dropped: 0,
    scenarios: [scenarioOf()],
    errors: [],
    thresholds: [],
    generator: { verdict: "healthy", reasons: [] },
    ...parts,
  };
}

/** Returns the same snapshot's only scenario, with these fields replaced. */
export function scenarioOf(parts: Partial<ScenarioSnapshot> = {}): ScenarioSnapshot {
  return {
    name: "browse",
    plannedRate: null,
    iterationRate: 13.4,
    vus: 50,
    iterations: 1204,
    plannedIterations: null,
    dropped: 0,
    progress: 0.4,
    startsInMs: 0,
    leftMs: 18_000,
    ...parts,
  };
}
