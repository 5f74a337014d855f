import { sumBy, sumFigures } from "@bearhug/metrics/sum";
import type { RequestAccounting } from "@bearhug/sdk/result";

import type { ScenarioCounts } from "../account.ts";
import type { LoadCounts, PhaseCounts } from "../load-counts.ts";
import type { RecordedProgress } from "../run-record.ts";
import type { RunState, WorkerState } from "../run-state.ts";
import { sumIterations } from "./merge-states.ts";

/** The latest report of a shard. */
export interface LatestOfPart {
  readonly state: RunState;
  /** Null before its load. */
  readonly progress: RecordedProgress | null;
  /** The number of its first worker in the merged run. */
  readonly firstWorker: number;
}

/** Merges the latest reports of all shards: their counts and their workers. */
export function mergeProgress(
  parts: readonly LatestOfPart[],
  scenarios: number,
): { readonly counts: LoadCounts; readonly workers: readonly WorkerState[] } {
  const reported = parts.flatMap(({ progress }) => progress ?? []);
  const accountings = parts.map(({ state }) => state.accounting);
  const warmups = accountings.flatMap(({ warmup }) => warmup ?? []);
  const phase = (phases: readonly Phase[], rows: readonly (readonly ScenarioCounts[])[]): PhaseCounts => ({
    iterations: sumIterations(phases),
    endedRequests: sumBy(phases, ({ requests }) => countEnded(requests)),
    scenarios: Array.from({ length: scenarios }, (_, index) => sumScenario(rows, index)),
  });
  return {
    counts: {
      measured: phase(
        accountings,
        reported.map((one) => one.scenarios),
      ),
      warmup: phase(
        warmups,
        reported.map(({ warmup }) => warmup),
      ),
      receivedBytes: sumBy(reported, ({ receivedBytes }) => receivedBytes),
    },
    workers: parts.flatMap(({ state, firstWorker }) =>
      state.workers.map((worker) => ({ ...worker, id: firstWorker + worker.id })),
    ),
  };
}

type Phase = Pick<RunState["accounting"], "iterations" | "requests">;

function countEnded(requests: readonly RequestAccounting[]): number {
  return sumBy(requests, ({ succeeded, failed }) => succeeded + failed);
}

function sumScenario(parts: readonly (readonly ScenarioCounts[])[], index: number): ScenarioCounts {
  const rows = parts.flatMap((rows) => rows[index] ?? []);
  return sumFigures(rows, "vus", "ended", "interrupted", "dropped");
}
