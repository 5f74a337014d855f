import { mergeEncoded, percentileOf } from "@bearhug/metrics/measured-trend";
import { sumBy } from "@bearhug/metrics/sum";
import type { TestResult } from "@bearhug/sdk";
import { formatDuration } from "@bearhug/text/duration";
import { markLowerBound, formatCount, formatRate } from "@bearhug/text/number";
import { blockLevels, renderSparkline } from "@bearhug/text/sparkline";

import { code } from "./escape-markdown.ts";
import { grid, section } from "./pieces.ts";

type Interval = TestResult["intervals"][number];

/** One figure for each stretch of a run. */
interface Line {
  readonly title: string;
  readonly figures: readonly (number | null)[];
  readonly format: (most: number) => string;
}

/** Fits the width of a job summary and of a comment. */
const mostColumns = 40;
/** A line with fewer columns is not worth showing. */
const fewestColumns = 3;

/**
 * Renders requests, failures, p95 and virtual users over time, each as a line of blocks: plain text, which
 * every viewer displays.
 */
export function timelineSection({ intervals }: TestResult): string[] {
  const first = intervals[0];
  const last = intervals.at(-1);
  if (first === undefined || last === undefined || intervals.length < fewestColumns) return [];
  const overMs = last.atMs - (first.atMs - first.widthMs);
  const titles = ["", `over ${formatDuration(overMs)}`, "at most"];
  const lines = linesOf(joinIntervals(intervals)).filter(({ figures }) => mostOf(figures) > 0);
  const rows = lines.map(({ title, figures, format }) => [
    title,
    code(renderSparkline(figures, { levels: blockLevels, nothing: "·" })),
    format(mostOf(figures)),
  ]);
  return section("Over time", grid(titles, rows));
}

function linesOf(stretches: readonly (readonly Interval[])[]): Line[] {
  const rate = (key: "http_reqs" | "http_reqs_failed"): number[] =>
    stretches.map((all) => (sum(all, (one) => one[key]) * 1000) / sum(all, ({ widthMs }) => widthMs));
  const isLowerBound = stretches.some((all) => all.some((one) => one.durationCensored !== undefined));
  return [
    { title: "requests", figures: rate("http_reqs"), format: (most) => formatRate(most) },
    { title: "failed requests", figures: rate("http_reqs_failed"), format: (most) => formatRate(most) },
    {
      title: "p95 of their duration",
      figures: stretches.map(p95Of),
      format: (most) => markLowerBound(formatDuration(most), isLowerBound),
    },
    {
      title: "virtual users",
      figures: stretches.map((all) => Math.max(...all.map(({ vus }) => vus))),
      format: formatCount,
    },
  ];
}

function p95Of(stretch: readonly Interval[]): number | null {
  const trend = mergeEncoded(stretch.flatMap(({ duration }) => duration ?? []));
  return trend && percentileOf(trend, 95);
}

/**
 * Joins neighbouring intervals into at most `mostColumns` stretches. A short interval at the end of a run
 * joins the last stretch.
 */
function joinIntervals(intervals: readonly Interval[]): Interval[][] {
  const widthMs = intervals[0]?.widthMs ?? 0;
  const whole = intervals.filter((one, index) => index === 0 || one.widthMs >= widthMs / 2).length;
  const size = Math.ceil(whole / mostColumns);
  const count = Math.ceil(whole / size);
  return Array.from({ length: count }, (_, index) =>
    intervals.slice(index * size, index === count - 1 ? undefined : (index + 1) * size),
  );
}

function mostOf(figures: readonly (number | null)[]): number {
  return Math.max(0, ...figures.map((figure) => figure ?? 0));
}

function sum(intervals: readonly Interval[], read: (one: Interval) => number): number {
  return sumBy(intervals, read);
}
