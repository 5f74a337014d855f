import type { TestResult } from "@bearhug/sdk";
import type { ComparedFigure } from "@bearhug/sdk/result";

import type { NamedRun } from "./comparable.ts";
import { mean } from "../statistics.ts";

/**
 * Returns the mean of each gauge that both sides monitored, side by side. Its variation is unknown,
 * so it decides nothing.
 */
export function monitoredFigures(base: readonly NamedRun[], other: readonly NamedRun[]): ComparedFigure[] {
  const latest = other.at(-1)?.result;
  const gauges = latest?.monitors.flatMap((monitor) => monitor.gauges) ?? [];
  return gauges.flatMap(({ metric, unit }) => {
    const [before, after] = [meanOf(metric, base), meanOf(metric, other)];
    if (before === null || after === null) return [];
    return [
      {
        metric,
        aggregation: "avg",
        unit,
        change: "relative",
        worse: "higher",
        base: before,
        new: after,
        difference: before === 0 ? null : (after - before) / before,
        interval: null,
        answer: null,
      },
    ];
  });
}

/** Returns the mean over the runs of a side; null if none of them has the gauge. */
function meanOf(metric: string, runs: readonly NamedRun[]): number | null {
  const means = runs.flatMap(({ result }) => averageOf(result, metric));
  return means.length === 0 ? null : mean(means);
}

function averageOf({ monitors }: TestResult, metric: string): number[] {
  return monitors.flatMap(({ gauges }) =>
    gauges.flatMap((gauge) => (gauge.metric === metric ? [gauge.values.avg] : [])),
  );
}
