import type { TestResult } from "@bearhug/sdk";
import { formatDuration } from "@bearhug/text/duration";

import { getOrAdd } from "../get-or-add.ts";
import { percentileOf } from "../measured-trend.ts";
import { trendOf } from "../run-curves.ts";
import { type BadTimes, lengthOf, onBothSides, spansWhere } from "./bad-spans.ts";
import type { NamedRun } from "./comparable.ts";

/** The median of each interval, in ms; null if no request ended in it. */
type Medians = readonly (number | null)[];

export function findSlowdowns(base: readonly NamedRun[], other: readonly NamedRun[]): BadTimes {
  const medians = new Map<TestResult, Medians>();
  return onBothSides(base, other, (run, opposite) =>
    slowdownOf(run, opposite, (result) => getOrAdd(medians, result, () => mediansOf(result))),
  );
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

function slowdownOf(
  { name, variant, result }: NamedRun,
  opposite: readonly NamedRun[],
  readMedians: (result: TestResult) => Medians,
): string[] {
  if (variant !== undefined) return [];
  const usualMs = Math.max(...opposite.map((run) => usualMedian(readMedians(run.result))));
  const slowMs = Math.max(usualMs * minFactor, usualMs + minIncreaseMs);
  const medians = readMedians(result);
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
function usualMedian(medians: Medians): number {
  const sorted = medians.filter((median) => median !== null).toSorted((one, two) => one - two);
  return sorted[Math.ceil(sorted.length * usualShare) - 1] ?? Infinity;
}

function mediansOf({ intervals }: TestResult): Medians {
  return intervals.map(({ duration }) => {
    const trend = trendOf(duration);
    return trend && percentileOf(trend, 50);
  });
}
