import type { SecondHealth } from "../health/overload-watch.ts";
import { Trend } from "../metrics/trend.ts";
import type { WorkerSnapshot } from "../protocol/messages.ts";

/** How the worker that sent this snapshot fared since its last one. */
export function secondHealthOf({ health, series }: WorkerSnapshot): SecondHealth {
  const lag = new Trend(3);
  for (const { metrics } of series) {
    const delta = metrics["schedule_lag"];
    if (delta?.type === "trend") lag.merge(delta);
  }
  return { ...health.last, scheduleLagP99Ms: lag.count === 0 ? null : lag.percentile(99) };
}
