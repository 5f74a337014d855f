import type { TestResult } from "@bearhug/sdk";
import type { OverloadInterval, OverloadResult } from "@bearhug/sdk/result";
import { formatNumber } from "@bearhug/text/number";

import { describeOverload } from "../model/overload.ts";
import type { ComparisonData, LineChartData } from "./page-data.ts";

/**
 * Gathers goodput against the offered load over time, and the recovery; none for a run without an overload.
 */
export function gatherOverload({ overload }: TestResult): ComparisonData[] {
  if (overload === undefined || overload.intervals.length === 0) return [];
  const { intervals } = overload;
  return [
    {
      id: "overload",
      title: "Overload",
      axis: "time",
      sentences: describeOverload(overload),
      places: intervals.map(({ toMs }) => `${formatNumber(toMs / 1000)} s`),
      charts: [goodput(overload), times(overload)],
    },
  ];
}

function goodput({ intervals, phases }: OverloadResult): LineChartData {
  const offeredIn = ({ fromMs, toMs }: OverloadInterval): number | null => {
    const middleMs = (fromMs + toMs) / 2;
    return phases.find((phase) => phase.fromMs <= middleMs && middleMs < phase.toMs)?.offered ?? null;
  };
  const line = (label: "goodput" | "failed" | "dropped"): LineChartData["lines"] => {
    const values = intervals.map((interval) => interval[label]);
    return label === "goodput" || values.some((value) => value > 0) ? [{ label, values }] : [];
  };
  return {
    id: "overload-goodput",
    title: "Goodput against offered load",
    unit: "per second",
    note: "goodput: requests that succeed",
    lines: [
      { label: "offered", values: intervals.map(offeredIn) },
      ...line("goodput"),
      ...line("failed"),
      ...line("dropped"),
    ],
  };
}

function times({ intervals, recovery }: OverloadResult): LineChartData {
  return {
    id: "overload-times",
    title: "Response times",
    unit: "ms",
    note: "of requests that succeed; back to normal at or below the line",
    lines: [
      { label: "p95", values: intervals.map(({ p95 }) => p95) },
      ...(recovery === null ? [] : [{ label: "normal", values: intervals.map(() => recovery.mostP95) }]),
    ],
  };
}
