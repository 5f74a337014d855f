import type { WorkerResult } from "@bearhug/sdk/internal";

import { judgeValue, type Bounds, type Finding } from "./finding.ts";
import { heldUp, isBusy } from "./judge-worker.ts";

/** Iterations that the generator should have started. */
export interface LateDrops {
  /** For so many of these it came too late, and never started them: they have no times that could tell. */
  readonly late: number;
  readonly scheduled: number;
}

const shareBounds: Bounds = { strained: 0, saturated: 0.01 };

/** The visitors who waited longest are those who were given up: without them the times of the others look good. */
export function judgeLateDrops({ late, scheduled }: LateDrops, workers: readonly WorkerResult[]): Finding[] {
  if (late === 0) return [];
  const remedy = workers.some(isBusy) ? "add workers or lower the load" : heldUp;
  return judgeValue(
    late / Math.max(scheduled, late),
    shareBounds,
    () =>
      `the generator fell behind and dropped ${grouped(late)} of ${grouped(scheduled)} iterations: ${remedy}; the times are only those of the others`,
  );
}

/** 2,400 */
function grouped(count: number): string {
  return count.toLocaleString("en-US");
}
