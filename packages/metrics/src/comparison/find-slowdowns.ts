import type { TestResult } from "@bearhug/sdk";
import { formatDuration } from "@bearhug/text/duration";

import { percentileOf } from "../measured-trend.ts";
import { trendOf } from "../run-curves.ts";
import { type BadTimes, lengthOf, onBothSides, spansWhere } from "./bad-spans.ts";
import type { NamedRun } from "./comparable.ts";

export function findSlowdowns(base: readonly NamedRun[], other: readonly NamedRun[]): BadTimes {
  return onBothSides(base, other, slowdownOf);
}

/** Queues near their limit stay slow for many seconds by chance, but not by so much. */
const minFactor = 10;
/** A smaller increase may be due to the machine. */
const minIncreaseMs = 10;
/** A shorter time may be a pause of the target, such as a collection of garbage. */
const minLengthMs = 2000;
const minShare = 0.1;
/** The slowest seconds of a run may be its warm-up. */
const usualShare = 0.9;

function slowdownOf({ name, variant, result }: NamedRun, opposite: readonly NamedRun[]): string[] {
  if (variant !== undefined) return [];
  const usualMs = Math.max(...opposite.map((run) => usualMedianOf(run.result)));
  const slowMs = Math.max(usualMs * minFactor, usualMs + minIncreaseMs);
  const medians = mediansOf(result);
  const slow = spansWhere(result.intervals, (_, at) => (medians[at] ?? 0) > slowMs)
    .toSorted((one, two) => lengthOf(two) - lengthOf(one))
    .find((span) => lengthOf(span) >= Math.max(minLengthMs, result.durationMs * minShare));
  if (slow === undefined) return [];
  const [from, until, usual, least] = [slow.fromMs, slow.untilMs, usualMs, slowMs].map(formatDuration);
  return [
    `In ${name}, the median response time was above ${least ?? ""} from ${from ?? ""} to ${until ?? ""}. On the other side, it was at most ${usual ?? ""} in 9 of 10 seconds.`,
  ];
}

/** Returns the median that `usualShare` of a run's intervals do not exceed; Infinity without a request. */
function usualMedianOf(result: TestResult): number {
  const medians = mediansOf(result)
    .filter((median) => median !== null)
    .toSorted((one, two) => one - two);
  return medians[Math.ceil(medians.length * usualShare) - 1] ?? Infinity;
}

/** Returns the median of each interval, in ms; null if no request ended in it. */
function mediansOf({ intervals }: TestResult): (number | null)[] {
  return intervals.map(({ duration }) => {
    const trend = trendOf(duration);
    return trend && percentileOf(trend, 50);
  });
}
