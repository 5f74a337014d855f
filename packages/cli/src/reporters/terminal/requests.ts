import type { RequestAccounting, TestResult } from "@bearhug/sdk";
import { formatCount } from "../../format/number.ts";
import type { Row } from "../../format/table.ts";
import { mergeTrend } from "../merge-series.ts";
import { renderMore } from "./more.ts";
import type { Style } from "./style.ts";
import { fewStatistics, statisticCells, statisticColumns } from "./trend-table.ts";

const mostShown = 20;

/** Each name that requests were grouped by, the most frequent first. */
export function renderRequests(result: TestResult, style: Style): string[] {
  const { requests } = result.accounting;
  if (requests.length === 0) return [];
  const columns = [
    { title: "", shrinks: true },
    { title: "count", align: "right" },
    { title: "failed", align: "right", keep: 8 },
    ...statisticColumns(fewStatistics),
  ] as const;
  const rows = requests
    .toSorted((a, b) => b.started - a.started)
    .slice(0, mostShown)
    .map((request) => renderRequest(result, request, style));
  return [
    style.heading("Requests", "in ms"),
    ...style.table(columns, rows),
    ...renderMore(requests.length - mostShown, style),
  ];
}

function renderRequest(result: TestResult, { name, started, failed }: RequestAccounting, style: Style): Row {
  return [
    style.text(name),
    formatCount(started),
    failed > 0 ? { text: formatCount(failed), paint: style.bad } : "0",
    ...statisticCells(mergeTrend(result, "http_req_duration", "name", name), fewStatistics, "ms"),
  ];
}
