import type { TestResult } from "@bearhug/sdk";
import { formatBytes } from "@bearhug/text/bytes";

import { describedStep } from "./described-step.ts";

const secondsInHour = 3600;

/**
 * Describes the data transferred, as a cloud provider would bill it. Empty if nothing was received and
 * --max-data is not set.
 */
export function describeTransfer(result: TestResult): string[] {
  const { metrics, plan, durationMs, shard } = result;
  const receivedBytes = countOf(metrics["data_received"]);
  const receivedPerSecond = describedStep(result)?.receivedRate ?? (receivedBytes / durationMs) * 1000;
  const iterations = countOf(metrics["iterations"]);
  const perIteration = iterations === 0 ? [] : [`${formatBytes(receivedBytes / iterations)} per iteration`];
  // A run shorter than a second is no basis for an hour.
  const hour =
    durationMs < 1000 ? [] : [`at this rate: ${formatBytes(receivedPerSecond * secondsInHour)} per hour`];
  const cost =
    receivedBytes === 0
      ? []
      : [
          `${formatBytes(receivedBytes)} received`,
          `${formatBytes(countOf(metrics["data_sent"]))} sent`,
          ...perIteration,
          ...hour,
        ];
  return [...cost, ...describeBound(plan.maxDataBytes, shard)];
}

function describeBound(maxDataBytes: number | null, shard: TestResult["shard"]): string[] {
  if (maxDataBytes === null) return [];
  if (shard === null) return [`stops at ${formatBytes(maxDataBytes)} (--max-data)`];
  return [`stops at ${formatBytes(maxDataBytes / shard.count)} (its part of --max-data)`];
}

function countOf(metric: TestResult["metrics"][string] | undefined): number {
  return metric?.type === "counter" ? metric.values.count : 0;
}
