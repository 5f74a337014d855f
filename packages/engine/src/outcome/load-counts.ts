import { sumBy } from "@bearhug/metrics/sum";
import type { SharedAccounting } from "@bearhug/plan/protocol/shared-accounting";
import type { IterationAccounting } from "@bearhug/sdk/result";

import type { LoadAccountings } from "./account.ts";
import { accountIterations, accountReceivedBytes, accountScenario, type ScenarioCounts } from "./account.ts";

/** Counts of a load so far. */
export interface LoadCounts {
  readonly measured: PhaseCounts;
  readonly warmup: PhaseCounts;
  /** The bytes of the whole load, including warm-up and `vuState`. */
  readonly receivedBytes: number;
}

export interface PhaseCounts {
  readonly iterations: IterationAccounting;
  /** Requests that succeeded or failed. */
  readonly endedRequests: number;
  /** In the order of the plan. */
  readonly scenarios: readonly ScenarioCounts[];
}

/** Returns the iterations that each scenario has begun, warm-up included, in the order of the plan. */
export function begunIterations({ measured, warmup }: LoadCounts): number[] {
  const begunOf = (counts: ScenarioCounts | undefined): number =>
    counts === undefined ? 0 : counts.vus + counts.ended + counts.interrupted;
  return measured.scenarios.map((counts, index) => begunOf(counts) + begunOf(warmup.scenarios[index]));
}

/** Reads the counts of all workers. */
export function countLoad(load: LoadAccountings, scenarios: number): LoadCounts {
  const count = (accountings: readonly SharedAccounting[]): PhaseCounts => ({
    iterations: accountIterations(accountings),
    endedRequests: sumBy(accountings, (accounting) => accounting.endedRequests()),
    scenarios: Array.from({ length: scenarios }, (_, index) => accountScenario(accountings, index)),
  });
  return {
    measured: count(load.accountings),
    warmup: count(load.warmupAccountings),
    receivedBytes: accountReceivedBytes(load),
  };
}
