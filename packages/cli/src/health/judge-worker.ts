import type { WorkerResult } from "@bearhug/sdk";

import { judgeValue, type Bounds, type Finding } from "./finding.ts";

export const busyBounds: Bounds = { strained: 0.85, saturated: 0.97 };
export const lateBoundsMs: Bounds = { strained: 20, saturated: 100 };

/** Only what the worker itself was late in: a slow target makes nobody busy, and nothing late. */
export function judgeWorker({ id, utilization, loopDelayP99Ms, scheduleLagP99Ms }: WorkerResult): Finding[] {
  return [
    ...judgeValue(
      utilization,
      busyBounds,
      (value) =>
        `worker ${id} was busy ${Math.floor(value * 100)} % of the time: add workers or lower the load; latencies are upper bounds`,
    ),
    ...judgeValue(
      loopDelayP99Ms,
      lateBoundsMs,
      (value) =>
        `worker ${id} was up to ${Math.round(value)} ms late in noticing what happened (p99): latencies are upper bounds`,
    ),
    ...judgeValue(
      scheduleLagP99Ms,
      lateBoundsMs,
      (value) =>
        `worker ${id} started iterations up to ${Math.round(value)} ms late (p99): add workers or lower the rate`,
    ),
  ];
}
