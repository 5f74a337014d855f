import type { TestResult } from "@bearhug/sdk";
import { formatCount } from "../../format/number.ts";
import type { Column } from "../../format/table.ts";
import { endedOf, unfinishedOf } from "../request-counts.ts";
import { trendsOf } from "../merged-rows.ts";
import { renderMore } from "./more.ts";
import type { Style } from "./style.ts";
import { fewStatistics, statisticCells, statisticColumns } from "../trend-table.ts";

const mostShown = 20;

const endings: readonly Column[] = [
  { title: "", shrinks: true },
  { title: "count", align: "right" },
  { title: "failed", align: "right", keep: 8 },
];
const unfinished: Column = { title: "unfinished", align: "right", keep: 7 };

/** Each name that requests were grouped by, the most frequent first. `count` is of those that ended, as in http_reqs. */
export function renderRequests(result: TestResult, style: Style): string[] {
  const { requests } = result.accounting;
  if (requests.length === 0) return [];
  const durations = trendsOf(result.names, "http_req_duration");
  const hasUnfinished = requests.some((request) => unfinishedOf(request) > 0);
  const rows = requests
    .toSorted((left, right) => endedOf(right) - endedOf(left))
    .slice(0, mostShown)
    .map((request) => [
      style.text(request.name),
      formatCount(endedOf(request)),
      request.failed > 0 ? { text: formatCount(request.failed), paint: style.bad } : "0",
      ...(hasUnfinished ? [formatCount(unfinishedOf(request))] : []),
      ...statisticCells(durations.get(request.name), fewStatistics, "ms"),
    ]);
  const columns = [...endings, ...(hasUnfinished ? [unfinished] : []), ...statisticColumns(fewStatistics)];
  return [
    style.heading(
      "Requests",
      hasUnfinished ? "in ms; unfinished: interrupted or lost, not in count" : "in ms",
    ),
    ...style.table(columns, rows),
    ...renderMore(requests.length - mostShown, style),
  ];
}
