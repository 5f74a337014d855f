import { formatDuration, formatPlanned } from "../../format/duration.ts";
import { formatCount, formatRate } from "../../format/number.ts";
import { formatPercent } from "../../format/percent.ts";
import { shorten } from "../../format/display-width.ts";
import type { Terminal } from "../../format/terminal.ts";
import type { IntervalSnapshot } from "../reporter.ts";
import { asciiFigures } from "./symbols.ts";

/** A running test in one line, no wider than the terminal. */
export function renderProgress(snapshot: IntervalSnapshot, { width, unicode }: Terminal): string {
  const { atMs, plannedMs, vus, iterations, requests, requestRate, failedRate, p95Ms, dropped } = snapshot;
  const parts = [
    plannedMs === null
      ? formatPlanned(atMs)
      : `${formatPlanned(Math.min(atMs, plannedMs))} of ${formatPlanned(plannedMs)}`,
    `${formatCount(vus)} VUs`,
    `${formatCount(iterations)} iterations`,
    `${formatCount(requests)} requests, ${formatRate(requestRate)}`,
    ...(p95Ms === null ? [] : [`p95 ${formatDuration(p95Ms)}`]),
    ...(failedRate > 0 ? [`${formatPercent(failedRate)} failed`] : []),
    ...(dropped > 0 ? [`${formatCount(dropped)} dropped`] : []),
  ];
  const line = shorten(parts.join(" · "), width - 1, "…");
  return unicode ? line : asciiFigures(line);
}
