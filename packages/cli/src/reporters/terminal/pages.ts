import type { TestResult } from "@bearhug/sdk";
import { formatBytes } from "../../format/bytes.ts";
import { formatCount } from "../../format/number.ts";
import { formatPercent } from "../../format/percent.ts";
import type { Row } from "../../format/table.ts";
import { renderMore } from "./more.ts";
import { tagValues, valuesByTag } from "./series-values.ts";
import type { Style } from "./style.ts";
import { fewStatistics, statisticCells, statisticColumns } from "./trend-table.ts";

const mostShown = 20;

/** Each page of the test: how often, how large, how fast as a whole. */
export function renderPages(result: TestResult, style: Style): string[] {
  const pages = tagValues(result, "page_duration", "page");
  if (pages.length === 0) return [];
  const columns = [
    { title: "", shrinks: true },
    { title: "count", align: "right" },
    { title: "failed", align: "right", keep: 8 },
    { title: "size", align: "right", keep: 0 },
    ...statisticColumns(fewStatistics),
  ] as const;
  return [
    style.heading("Pages", "ms; failed: of their requests"),
    ...style.table(
      columns,
      pages.slice(0, mostShown).map((page) => renderPage(result, page, style)),
    ),
    ...renderMore(pages.length - mostShown, style),
  ];
}

function renderPage(result: TestResult, page: string, style: Style): Row {
  const durations = valuesByTag(result, "page_duration", "page", page);
  const averageBytes = valuesByTag(result, "page_bytes", "page", page)?.["avg"];
  const failed = valuesByTag(result, "http_req_failed", "page", page)?.["rate"];
  return [
    style.text(page),
    formatCount(durations?.["count"] ?? 0),
    failed === undefined ? "" : { text: formatPercent(failed), ...(failed > 0 && { paint: style.bad }) },
    averageBytes === undefined ? "" : formatBytes(averageBytes),
    ...statisticCells(durations, fewStatistics, "ms"),
  ];
}
