import type { TestResult } from "@bearhug/sdk";
import { formatCount } from "../../format/number.ts";
import { seriesByTag } from "../tag-series.ts";
import { renderMore } from "./more.ts";
import type { Style } from "./style.ts";
import { fewStatistics, statisticCells, statisticColumns } from "./trend-table.ts";

const mostShown = 20;

const columns = [
  { title: "", shrinks: true },
  { title: "count", align: "right" },
  { title: "failed", align: "right", keep: 8 },
  ...statisticColumns(fewStatistics),
] as const;

/** Each name that requests were grouped by, the most frequent first. */
export function renderRequests(result: TestResult, style: Style): string[] {
  const { requests } = result.accounting;
  if (requests.length === 0) return [];
  const durations = seriesByTag(result, "http_req_duration", "name");
  const rows = requests
    .toSorted((left, right) => right.started - left.started)
    .slice(0, mostShown)
    .map(({ name, started, failed }) => [
      style.text(name),
      formatCount(started),
      failed > 0 ? { text: formatCount(failed), paint: style.bad } : "0",
      ...statisticCells(durations.get(name), fewStatistics, "ms"),
    ]);
  return [
    style.heading("Requests", "in ms"),
    ...style.table(columns, rows),
    ...renderMore(requests.length - mostShown, style),
  ];
}
