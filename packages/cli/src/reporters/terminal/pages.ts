import type { TestResult } from "@bearhug/sdk";
import type { TrendResult } from "@bearhug/sdk/internal";
import { formatBytes } from "../../format/bytes.ts";
import { atLeast, formatCount } from "../../format/number.ts";
import { formatPercent } from "../../format/percent.ts";
import type { Cell } from "../../format/table.ts";
import { ratesOf, trendsOf } from "../merged-rows.ts";
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

/** Each page of the test: its views, its failed requests, its size and its duration. */
export function renderPages(result: TestResult, style: Style): string[] {
  const durations = trendsOf(result.pages, "page_duration");
  if (durations.size === 0) return [];
  const bytes = trendsOf(result.pages, "page_bytes");
  const failed = ratesOf(result.pages, "http_req_failed");
  const rows = [...durations]
    .slice(0, mostShown)
    .map(([page, duration]) => [
      style.text(page),
      formatCount(duration.values.count),
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

function renderFailed(share: number | undefined, style: Style): Cell | string {
  if (share === undefined) return "";
  return share > 0 ? { text: formatPercent(share), paint: style.bad } : formatPercent(share);
}

function renderSize(trend: TrendResult | undefined): string {
  return trend === undefined ? "" : atLeast(formatBytes(trend.values.avg), trend.censored !== undefined);
}
