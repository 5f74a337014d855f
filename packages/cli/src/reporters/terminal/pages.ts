import type { TestResult } from "@bearhug/sdk";
import { formatBytes } from "../../format/bytes.ts";
import { formatCount } from "../../format/number.ts";
import { formatPercent } from "../../format/percent.ts";
import type { Cell, Row } from "../../format/table.ts";
import { mergeRate, mergeTrend, tagValues } from "../merge-series.ts";
import { renderMore } from "./more.ts";
import type { Style } from "./style.ts";
import { fewStatistics, statisticCells, statisticColumns } from "./trend-table.ts";

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
  const pages = tagValues(result, "page_duration", "page");
  if (pages.length === 0) return [];
  return [
    style.heading("Pages", "in ms; failed: of their requests; size: average"),
    ...style.table(
      columns,
      pages.slice(0, mostShown).map((page) => renderPage(result, page, style)),
    ),
    ...renderMore(pages.length - mostShown, style),
  ];
}

function renderPage(result: TestResult, page: string, style: Style): Row {
  const durations = mergeTrend(result, "page_duration", "page", page);
  const bytes = mergeTrend(result, "page_bytes", "page", page);
  return [
    style.text(page),
    formatCount(durations?.count ?? 0),
    renderFailed(mergeRate(result, "http_req_failed", "page", page), style),
    bytes === undefined ? "" : formatBytes(bytes.avg),
    ...statisticCells(durations, fewStatistics, "ms"),
  ];
}

function renderFailed({ passes, samples }: { passes: number; samples: number }, style: Style): Cell | string {
  if (samples === 0) return "";
  return passes > 0 ? { text: formatPercent(passes / samples), paint: style.bad } : formatPercent(0);
}
