import type { MetricResult, TestResult } from "@bearhug/sdk";
import type { MergedResult } from "@bearhug/sdk/internal";
import { formatCount } from "../../format/number.ts";
import { formatPercent } from "../../format/percent.ts";
import type { Cell, Column } from "../../format/table.ts";
import { renderMore } from "./more.ts";
import type { Style } from "./style.ts";
import { fewStatistics, statisticCells, statisticColumns } from "../trend-table.ts";

const mostShown = 20;

const scenarioColumns: readonly Column[] = [
  { title: "", shrinks: true },
  { title: "iterations", align: "right" },
  { title: "failed", align: "right", keep: 8 },
  { title: "requests", align: "right", keep: 7 },
  { title: "failed", align: "right", keep: 4 },
  ...statisticColumns(fewStatistics),
];

/** Each scenario of a test that has several: its iterations, its requests, and how long these took. */
export function renderScenarios({ plan, scenarios }: TestResult, style: Style): string[] {
  if (plan.scenarios.length < 2) return [];
  const rows = plan.scenarios.slice(0, mostShown).map(({ name }) => {
    const metrics = scenarios.find((one) => one.name === name)?.metrics ?? {};
    return [
      style.text(name),
      countOf(metrics["iterations"]),
      shareOf(metrics["iteration_failed"], style),
      countOf(metrics["http_reqs"]),
      shareOf(metrics["http_req_failed"], style),
      ...timesOf(metrics["http_req_duration"]),
    ];
  });
  return [
    style.heading("Scenarios", "request times in ms"),
    ...style.table(scenarioColumns, rows),
    ...renderMore(plan.scenarios.length - mostShown, style),
  ];
}

const groupColumns: readonly Column[] = [
  { title: "", shrinks: true },
  { title: "count", align: "right" },
  { title: "requests", align: "right", keep: 7 },
  { title: "failed", align: "right", keep: 8 },
  ...statisticColumns(fewStatistics),
];

/** Each group of the test: how often it ran, its requests, and how long it took as a whole. */
export function renderGroups({ groups }: TestResult, style: Style): string[] {
  if (groups.length === 0) return [];
  const rows = groups
    .slice(0, mostShown)
    .map(({ name, metrics }: MergedResult) => [
      style.text(name),
      countOf(metrics["group_duration"]),
      countOf(metrics["http_reqs"]),
      shareOf(metrics["http_req_failed"], style),
      ...timesOf(metrics["group_duration"]),
    ]);
  return [
    style.heading("Groups", "group times in ms; failed: share of requests"),
    ...style.table(groupColumns, rows),
    ...renderMore(groups.length - mostShown, style),
  ];
}

function countOf(metric: MetricResult | undefined): string {
  return metric !== undefined && "count" in metric.values ? formatCount(metric.values.count) : "0";
}

function shareOf(metric: MetricResult | undefined, style: Style): Cell | string {
  if (metric?.type !== "rate") return "";
  const { rate } = metric.values;
  return rate > 0 ? { text: formatPercent(rate), paint: style.bad } : formatPercent(rate);
}

function timesOf(metric: MetricResult | undefined): string[] {
  return statisticCells(metric?.type === "trend" ? metric : undefined, fewStatistics, "ms");
}
