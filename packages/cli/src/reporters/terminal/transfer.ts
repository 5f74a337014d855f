import type { TestResult } from "@bearhug/sdk";
import { formatBytes } from "../../format/bytes.ts";

const hourMs = 3_600_000;

/** What the load cost in transfer, as it would be paid for; nothing where nothing was received and nothing bounds it. */
export function describeTransfer({ metrics, plan, durationMs }: TestResult): string[] {
  const receivedBytes = countOf(metrics["data_received"]);
  const iterations = countOf(metrics["iterations"]);
  const perIteration = iterations === 0 ? [] : [`${formatBytes(receivedBytes / iterations)} an iteration`];
  // What lasted less than a second says nothing about an hour.
  const hour =
    durationMs < 1000 ? [] : [`an hour of it: ${formatBytes((receivedBytes / durationMs) * hourMs)}`];
  const cost =
    receivedBytes === 0
      ? []
      : [
          `${formatBytes(receivedBytes)} received`,
          `${formatBytes(countOf(metrics["data_sent"]))} sent`,
          ...perIteration,
          ...hour,
        ];
  const bound =
    plan.maxDataBytes === null ? [] : [`to end at ${formatBytes(plan.maxDataBytes)} (--max-data)`];
  return [...cost, ...bound];
}

function countOf(metric: TestResult["metrics"][string] | undefined): number {
  return metric?.type === "counter" ? metric.values.count : 0;
}
