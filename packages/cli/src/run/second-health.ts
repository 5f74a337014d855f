import type { SecondHealth } from "../health/overload-watch.ts";
import { Trend } from "../metrics/trend.ts";
import { addScheduleLag } from "../outcome/collect.ts";
import type { WorkerSnapshot } from "../protocol/messages.ts";

/** Returns the health of the worker that sent a snapshot, since its last one. */
export function secondHealthOf({ health, series }: WorkerSnapshot): SecondHealth {
  const lag = new Trend(3);
  addScheduleLag(lag, series);
  return { ...health.last, scheduleLagP99Ms: lag.count === 0 ? null : lag.percentile(99) };
}
