import type { SeriesResult, TestResult } from "@bearhug/sdk";
import { formatBytes } from "../../format/bytes.ts";
import { atLeast, formatCount } from "../../format/number.ts";
import { formatPercent } from "../../format/percent.ts";
import type { Cell } from "../../format/table.ts";
import { seriesByTag } from "../tag-series.ts";
import { renderMore } from "./more.ts";
import type { Style } from "./style.ts";
import { fewStatistics, statisticCells, statisticColumns } from "../trend-table.ts";

const mostShown = 20;

const columns = [
  { title: "", shrinks: true },
  { title: "count", align: "right" },
  { title: "failed", align: "right", keep: 8 },
  { title: "size", align: "right", keep: 0 },
  ...statisticColumns(fewStatistics),
] as const;

/** Each page of the test: how often, how many of its requests failed, how large, how fast as a whole. */
export function renderPages(result: TestResult, style: Style): string[] {
  const durations = seriesByTag(result, "page_duration", "page");
  if (durations.size === 0) return [];
  const bytes = seriesByTag(result, "page_bytes", "page");
  const failed = seriesByTag(result, "http_req_failed", "page");
  const rows = [...durations]
    .slice(0, mostShown)
    .map(([page, duration]) => [
      style.text(page),
      formatCount(duration.values["count"] ?? 0),
      renderFailed(failed.get(page), style),
      renderSize(bytes.get(page)),
      ...statisticCells(duration, fewStatistics, "ms"),
    ]);
  return [
    style.heading("Pages", "in ms; failed: share of requests; size: average"),
    ...style.table(columns, rows),
    ...renderMore(durations.size - mostShown, style),
  ];
}

function renderFailed(series: SeriesResult | undefined, style: Style): Cell | string {
  const share = series?.values["rate"];
  if (share === undefined) return "";
  return share > 0 ? { text: formatPercent(share), paint: style.bad } : formatPercent(share);
}

function renderSize(series: SeriesResult | undefined): string {
  const average = series?.values["avg"];
  return average === undefined ? "" : atLeast(formatBytes(average), series?.censored !== undefined);
}
