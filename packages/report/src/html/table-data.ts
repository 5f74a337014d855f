import { sumBy } from "@bearhug/metrics/sum";
import type { TestResult } from "@bearhug/sdk";
import { formatPercent } from "@bearhug/text/percent";

import { expectedFilter, expectedTimes } from "../expected-times.ts";
import { trialTable } from "../model/capacity.ts";
import { checkTable } from "../model/checks.ts";
import { errorTable } from "../model/errors.ts";
import { describeGaps, gaugeTable } from "../model/monitors.ts";
import { phaseTable } from "../model/overload.ts";
import { groupTable, pageTable, requestTable, scenarioTable } from "../model/run-parts.ts";
import { statusCounts } from "../model/statuses.ts";
import { stepTable } from "../model/sweep.ts";
import {
  countCell,
  type Details,
  durationCell,
  empty,
  name,
  number,
  type Table,
  text,
  valueCell,
} from "../model/table.ts";
import { countOf, trendCells, trendColumns } from "../model/metric-cells.ts";
import { thresholdTable } from "../model/thresholds.ts";
import { differenceTable, variantTable } from "../model/variants.ts";
import type { CellData, TableData } from "./page-data.ts";

/** Gathers the tables of the page in order; those without rows are left out. */
export function gatherTables(result: TestResult): TableData[] {
  const { capacity, overload, sweep, variants } = result;
  return [
    thresholdTable(result),
    ...(capacity === undefined ? [] : [trialTable(capacity)]),
    ...(overload === undefined ? [] : [phaseTable(overload)]),
    ...(sweep === undefined ? [] : [stepTable(sweep, sweep.targets)]),
    ...(variants === undefined ? [] : [variantTable(variants), differenceTable(variants)]),
    monitors(result),
    checkTable(result),
    scenarioTable(result),
    pageTable(result),
    groupTable(result),
    requestTable(result),
    statuses(result),
    errorTable(result),
    metrics(result),
    accounting(result),
    workers(result),
  ].flatMap(shownTable);
}

/** Converts a table for the page; empty if it has no rows. */
export function shownTable(table: Table): TableData[] {
  return table.rows.length === 0 ? [] : [tableData(table)];
}

export function tableData({ columns, rows, ...table }: Table): TableData {
  return {
    ...table,
    columns: columns.map(({ title, kind }) => ({ title, isNumber: kind === "number" })),
    rows: rows.map(({ cells, details }) => ({ cells: cells.map(cellData), detail: writeDetails(details) })),
  };
}

function cellData({ aside, ...cell }: Table["rows"][number]["cells"][number]): CellData {
  return aside === undefined ? cell : { ...cell, text: `${cell.text} ${aside}`.trim() };
}

function writeDetails(details: Details | undefined): string {
  if (details === undefined) return "";
  const { sentences, place, frame = "" } = details;
  return [...sentences, ...(place === null ? [] : [`at ${place}`]), ...(frame === "" ? [] : [frame])].join(
    "\n",
  );
}

/** A monitor that was never read has a row too. */
function monitors(result: TestResult): Table {
  const table = gaugeTable(result);
  const unread = result.monitors.filter(({ gauges }) => gauges.length === 0);
  return {
    ...table,
    note: describeGaps(result)
      .map((sentence) => `${sentence}.`)
      .join(" "),
    rows: [
      ...table.rows,
      ...unread.map((monitor) => ({
        cells: table.columns.map((_, at) => (at === 0 ? { text: monitor.name } : empty)),
      })),
    ],
  };
}

function statuses(result: TestResult): Table {
  const counts = statusCounts(result);
  const total = sumBy(counts, ({ count }) => count);
  return {
    id: "statuses",
    title: "Statuses",
    note: "",
    columns: [name("status"), number("requests"), number("share")],
    rows: counts.map(({ status, count }) => ({
      cells: [{ text: status }, countCell(count), valueCell(count / total, formatPercent)],
    })),
  };
}

function metrics(result: TestResult): Table {
  const expected = expectedTimes(result);
  return {
    id: "metrics",
    title: "All distributions",
    note: "in ms, unless a unit is shown",
    columns: [name("metric"), number("samples"), ...trendColumns],
    rows: Object.entries(result.metrics)
      .flatMap(([metric, measured]) => [
        [metric, measured] as const,
        [`${metric}${expectedFilter}`, expected.get(metric)] as const,
      ])
      .flatMap(([title, metric]) =>
        metric?.type === "trend"
          ? [{ cells: [{ text: title }, countOf(metric), ...trendCells(metric)] }]
          : [],
      ),
  };
}

function accounting({ accounting: { iterations } }: TestResult): Table {
  return {
    id: "accounting",
    title: "Iterations accounted for",
    note: "scheduled = started + dropped; started = completed + failed + interrupted + lost",
    columns: Object.keys(iterations).map((title) => number(title)),
    rows: iterations.scheduled === 0 ? [] : [{ cells: Object.values(iterations).map(countCell) }],
  };
}

function workers({ generator }: TestResult): Table {
  return {
    id: "workers",
    title: "Load generator",
    note: generator.reasons.map((reason) => `${reason}.`).join(" "),
    columns: [
      number("worker"),
      number("busy"),
      number("loop delay p99"),
      number("schedule lag p99"),
      text("lost"),
    ],
    rows: generator.workers.map(({ id, utilization, loopDelayP99Ms, scheduleLagP99Ms, lost }) => ({
      cells: [
        countCell(id),
        valueCell(utilization, (share) => formatPercent(share, 0)),
        durationCell(loopDelayP99Ms),
        durationCell(scheduleLagP99Ms),
        { text: lost ?? "no" },
      ],
    })),
  };
}
