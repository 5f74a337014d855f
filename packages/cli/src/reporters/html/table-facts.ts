import type { TestResult } from "@bearhug/sdk";

import { formatDuration } from "../../format/duration.ts";
import { formatPercent } from "../../format/percent.ts";
import { expectedFilter, expectedTimes } from "../expected-times.ts";
import { endedOf, unfinishedOf } from "../request-counts.ts";
import { statusCounts } from "../status-words.ts";
import { stepCells, stepTitles } from "../sweep-words.ts";
import { describeActual, describeFailure } from "../threshold-words.ts";
import { capacityTable } from "./capacity-facts.ts";
import { monitorTable } from "./monitor-facts.ts";
import { overloadTable } from "./overload-facts.ts";
import type { CellFacts, TableFacts, TableRow } from "./page-facts.ts";
import { variantTable } from "./variant-facts.ts";
import {
  badCountCell,
  countCell,
  countOf,
  empty,
  failuresOf,
  numberColumn,
  outcomeCell,
  row,
  sizeOf,
  table,
  textCell,
  textColumn,
  trendCells,
  trendColumns,
} from "./table-cells.ts";

/** The tables of the page, in their order; those without a row are left out. */
export function gatherTables(result: TestResult): TableFacts[] {
  return [
    thresholds,
    capacityTable,
    overloadTable,
    sweepSteps,
    variantTable,
    monitorTable,
    checks,
    scenarios,
    pages,
    groups,
    requests,
    statuses,
    errors,
    metrics,
    accounting,
    workers,
  ].flatMap((gather) => table(gather(result)));
}

function thresholds(result: TestResult): TableFacts {
  return {
    id: "thresholds",
    title: "Thresholds",
    note: "",
    columns: [textColumn("outcome"), textColumn("metric"), textColumn("expression"), textColumn("measured")],
    rows: result.thresholds.map((threshold): TableRow => {
      const { passed, metric, expression } = threshold;
      return {
        cells: [
          outcomeCell(passed),
          textCell(metric),
          textCell(expression),
          { text: describeActual(threshold, result), ...(passed === false && { tone: "bad" }) },
        ],
        detail: describeFailure(threshold).join("; "),
      };
    }),
  };
}

function sweepSteps({ sweep }: TestResult): TableFacts {
  const { targets = [] } = sweep ?? {};
  const [first] = targets;
  const all = targets.flatMap(({ steps }) => steps);
  const titles = sweep === undefined || first === undefined ? [] : stepTitles(sweep, all);
  return {
    id: "sweep-steps",
    title: "Steps of the sweep",
    note: "response times in ms",
    columns: [textColumn("target"), ...titles.map(numberColumn)],
    rows: targets.flatMap(({ name, steps }) =>
      steps.map((step) =>
        row(textCell(name), ...stepCells(step, sweep?.loadUnit ?? "vus", all).map(textCell)),
      ),
    ),
  };
}

function checks({ checks: told }: TestResult): TableFacts {
  return {
    id: "checks",
    title: "Checks",
    note: "",
    columns: [
      ...["check", "scenario", "page"].map(textColumn),
      ...["passed", "failed", "share passed"].map(numberColumn),
    ],
    rows: told.map(({ name, scenario, page, passes, fails, exception }) => ({
      cells: [
        textCell(name),
        textCell(scenario),
        textCell(page ?? ""),
        countCell(passes),
        badCountCell(fails),
        shareCell(passes, passes + fails),
      ],
      detail: exception === null ? "" : exception.message,
    })),
  };
}

function shareCell(part: number, whole: number): CellFacts {
  return whole === 0 ? empty : { text: formatPercent(part / whole), value: part / whole };
}

const requestCounts = [numberColumn("requests"), numberColumn("failed")];

function scenarios({ scenarios: merged }: TestResult): TableFacts {
  return {
    id: "scenarios",
    title: "Scenarios",
    note: "request durations in ms",
    columns: [textColumn("scenario"), numberColumn("iterations"), ...requestCounts, ...trendColumns],
    rows: merged.map(({ name, metrics: one }) =>
      row(
        textCell(name),
        countOf(one["iterations"]),
        countOf(one["http_reqs"]),
        failuresOf(one["http_req_failed"]),
        ...trendCells(one["http_req_duration"]),
      ),
    ),
  };
}

function pages({ pages: merged }: TestResult): TableFacts {
  return {
    id: "pages",
    title: "Pages",
    note: "page durations in ms",
    columns: [
      textColumn("page"),
      ...["views", "failed requests", "average size"].map(numberColumn),
      ...trendColumns,
    ],
    rows: merged.map(({ name, metrics: one }) =>
      row(
        textCell(name),
        countOf(one["page_duration"]),
        failuresOf(one["http_req_failed"]),
        sizeOf(one["page_bytes"]),
        ...trendCells(one["page_duration"]),
      ),
    ),
  };
}

function groups({ groups: merged }: TestResult): TableFacts {
  return {
    id: "groups",
    title: "Groups",
    note: "group durations in ms",
    columns: [textColumn("group"), numberColumn("count"), ...requestCounts, ...trendColumns],
    rows: merged.map(({ name, metrics: one }) =>
      row(
        textCell(name),
        countOf(one["group_duration"]),
        countOf(one["http_reqs"]),
        failuresOf(one["http_req_failed"]),
        ...trendCells(one["group_duration"]),
      ),
    ),
  };
}

function requests({ accounting: { requests: counts }, names }: TestResult): TableFacts {
  const metricsOf = new Map(names.map(({ name, metrics: one }) => [name, one]));
  return {
    id: "requests",
    title: "Requests",
    note: "durations in ms; unfinished: interrupted or lost, and not among the requests",
    columns: [textColumn("name"), ...requestCounts, numberColumn("unfinished"), ...trendColumns],
    rows: counts
      .toSorted((left, right) => endedOf(right) - endedOf(left))
      .map((one) =>
        row(
          textCell(one.name),
          countCell(endedOf(one)),
          badCountCell(one.failed),
          countCell(unfinishedOf(one)),
          ...trendCells(metricsOf.get(one.name)?.["http_req_duration"]),
        ),
      ),
  };
}

function statuses(result: TestResult): TableFacts {
  const counts = statusCounts(result);
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  return {
    id: "statuses",
    title: "Statuses",
    note: "",
    columns: [textColumn("status"), numberColumn("requests"), numberColumn("share")],
    rows: counts.map(({ status, count }) => row(textCell(status), countCell(count), shareCell(count, total))),
  };
}

function errors({ errors: told }: TestResult): TableFacts {
  return {
    id: "errors",
    title: "Errors",
    note: "",
    columns: [numberColumn("count"), numberColumn("first after"), textColumn("code"), textColumn("where")],
    rows: told
      .toSorted((left, right) => right.count - left.count)
      .map(({ count, firstAtMs, code, cause, name, message, frame }) => ({
        cells: [
          badCountCell(count),
          { text: formatDuration(firstAtMs), value: firstAtMs },
          textCell(cause === null || cause === code ? code : `${code} (${cause})`),
          textCell(name),
        ],
        detail: [message, ...(frame === null || frame === undefined ? [] : [frame])].join("\n"),
      })),
  };
}

function metrics(result: TestResult): TableFacts {
  const expected = expectedTimes(result);
  return {
    id: "metrics",
    title: "All distributions",
    note: "in ms, unless a unit is shown",
    columns: [textColumn("metric"), numberColumn("samples"), ...trendColumns],
    rows: Object.entries(result.metrics)
      .filter(([, { type }]) => type === "trend")
      .flatMap(([name, metric]) => [
        [name, metric] as const,
        [`${name}${expectedFilter}`, expected.get(name)] as const,
      ])
      .flatMap(([name, metric]) =>
        metric === undefined ? [] : [row(textCell(name), countOf(metric), ...trendCells(metric))],
      ),
  };
}

function accounting({ accounting: { iterations } }: TestResult): TableFacts {
  return {
    id: "accounting",
    title: "Iterations accounted for",
    note: "scheduled = started + dropped; started = completed + failed + interrupted + lost",
    columns: Object.keys(iterations).map(numberColumn),
    rows: iterations.scheduled === 0 ? [] : [row(...Object.values(iterations).map(countCell))],
  };
}

function workers({ generator }: TestResult): TableFacts {
  return {
    id: "workers",
    title: "Load generator",
    note: generator.reasons.map((reason) => `${reason}.`).join(" "),
    columns: [
      ...["worker", "busy", "loop delay p99", "schedule lag p99"].map(numberColumn),
      textColumn("lost"),
    ],
    rows: generator.workers.map(({ id, utilization, loopDelayP99Ms, scheduleLagP99Ms, lost }) =>
      row(
        { text: String(id), value: id },
        utilization === null ? empty : { text: formatPercent(utilization, 0), value: utilization },
        durationCell(loopDelayP99Ms),
        durationCell(scheduleLagP99Ms),
        textCell(lost ?? "no"),
      ),
    ),
  };
}

function durationCell(ms: number | null): CellFacts {
  return ms === null ? empty : { text: formatDuration(ms), value: ms };
}
