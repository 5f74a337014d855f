import type { TestResult } from "@bearhug/sdk";
import { formatBytes } from "@bearhug/text/bytes";
import { markLowerBound } from "@bearhug/text/number";

import { badCountCell, type Cell, countCell, name, number, type Table, valueCell } from "./table.ts";
import { countOf, failuresOf, trendCells, trendColumns } from "./metric-cells.ts";

/** Returns the table of scenarios: their iterations, their requests, and how long the requests took. */
export function scenarioTable({ plan, scenarios }: TestResult): Table {
  return {
    id: "scenarios",
    title: "Scenarios",
    note: "request times in ms",
    columns: [
      name("scenario"),
      number("iterations"),
      number("failed", 8),
      number("requests", 7),
      number("failed", 4),
      ...trendColumns,
    ],
    rows: plan.scenarios.map((scenario) => {
      const metrics = scenarios.find((one) => one.name === scenario.name)?.metrics ?? {};
      return {
        cells: [
          { text: scenario.name },
          countOf(metrics["iterations"]),
          failuresOf(metrics["iteration_failed"]),
          countOf(metrics["http_reqs"]),
          failuresOf(metrics["http_req_failed"]),
          ...trendCells(metrics["http_req_duration"]),
        ],
      };
    }),
  };
}

/** Returns the table of pages: their views, failed requests, size and duration. */
export function pageTable({ pages }: TestResult): Table {
  return {
    id: "pages",
    title: "Pages",
    note: "in ms; failed: share of requests; size: average",
    columns: [name("page"), number("count"), number("failed", 8), number("size", 0), ...trendColumns],
    rows: pages
      .filter(({ metrics }) => metrics["page_duration"] !== undefined)
      .map((page) => ({
        cells: [
          { text: page.name },
          countOf(page.metrics["page_duration"]),
          failuresOf(page.metrics["http_req_failed"]),
          sizeOf(page.metrics["page_bytes"]),
          ...trendCells(page.metrics["page_duration"]),
        ],
      })),
  };
}

function sizeOf(metric: TestResult["metrics"][string] | undefined): Cell {
  const trend = metric?.type === "trend" ? metric : undefined;
  return valueCell(trend?.values.avg, (bytes) =>
    markLowerBound(formatBytes(bytes), trend?.censored !== undefined),
  );
}

/** Returns the table of groups: how often each ran, its requests, and how long it took as a whole. */
export function groupTable({ groups }: TestResult): Table {
  return {
    id: "groups",
    title: "Groups",
    note: "group times in ms; failed: share of requests",
    columns: [name("group"), number("count"), number("requests", 7), number("failed", 8), ...trendColumns],
    rows: groups.map((group) => ({
      cells: [
        { text: group.name },
        countOf(group.metrics["group_duration"]),
        countOf(group.metrics["http_reqs"]),
        failuresOf(group.metrics["http_req_failed"]),
        ...trendCells(group.metrics["group_duration"]),
      ],
    })),
  };
}

type RequestCounts = TestResult["accounting"]["requests"][number];

/** Returns the number of requests that got a response or failed, as `http_reqs` counts them. */
export function endedOf({ succeeded, failed }: RequestCounts): number {
  return succeeded + failed;
}

/** Returns the number of requests that started but never ended. */
export function unfinishedOf({ interrupted, lost }: RequestCounts): number {
  return interrupted + lost;
}

/**
 * Returns the table of requests by name, the most frequent first, with `most` rows at most. `count` has those
 * that ended, as in `http_reqs`.
 */
export function requestTable(
  { accounting: { requests }, names }: TestResult,
  most: number = requests.length,
): Table {
  const hasUnfinished = requests.some((request) => unfinishedOf(request) > 0);
  const metricsOf = new Map(names.map(({ name: request, metrics }) => [request, metrics]));
  return {
    id: "requests",
    title: "Requests",
    note: hasUnfinished ? "in ms; unfinished: interrupted or lost, not in count" : "in ms",
    columns: [
      name("name"),
      number("count"),
      number("failed", 8),
      ...(hasUnfinished ? [number("unfinished", 7)] : []),
      ...trendColumns,
    ],
    ...(requests.length > most && { leftOut: requests.length - most }),
    rows: requests
      .toSorted((left, right) => endedOf(right) - endedOf(left))
      .slice(0, most)
      .map((request) => ({
        cells: [
          { text: request.name },
          countCell(endedOf(request)),
          badCountCell(request.failed),
          ...(hasUnfinished ? [countCell(unfinishedOf(request))] : []),
          ...trendCells(metricsOf.get(request.name)?.["http_req_duration"]),
        ],
      })),
  };
}
