import { samplesForConfidence } from "@bearhug/metrics/quantiles";
import { sumBy } from "@bearhug/metrics/sum";
import type { MetricResult, TestResult } from "@bearhug/sdk";
import { isBuiltInMetric, openingPhases, phaseNames, requestPhases } from "@bearhug/sdk/internal";
import type { TrendResult } from "@bearhug/sdk/result";
import { formatBytes } from "@bearhug/text/bytes";
import { formatDuration } from "@bearhug/text/duration";
import { markLowerBound, formatCount, formatCounted, formatNumber, formatRate } from "@bearhug/text/number";
import { formatPercent } from "@bearhug/text/percent";

import { expectedFilter, expectedTimes } from "../expected-times.ts";
import { gaugesOf } from "../model/monitors.ts";
import { statusCounts } from "../model/statuses.ts";
import { type Cell, name as nameColumn, number, type Row, text } from "../model/table.ts";
import { allTrendColumns, trendCells } from "../model/metric-cells.ts";
import type { Style } from "./style.ts";
import { tableLines } from "./table-section.ts";
import { renderWaiting } from "./waiting.ts";

type Metrics = TestResult["metrics"];

const trafficNames = [
  "http_reqs",
  "http_req_failed",
  "iterations",
  "iteration_failed",
  "pages",
  "data_received",
  "data_sent",
];
/** Shown first for a run whose requests each open a connection. */
const connectionNames = ["connections_opened", "tls_handshakes"];
/** The phases that matter in such a run. One lookup of a name serves many connections. */
const connectingNames = openingPhases
  .filter((phase) => phase !== "lookingUp")
  .map((phase) => requestPhases[phase].metric);
/** Metrics that only open models have. */
const waitNames = ["vu_wait", "schedule_lag"];
const timeNames = [
  "http_req_duration",
  "http_req_response_time",
  "iteration_duration",
  "iteration_response_time",
  "page_duration",
  "group_duration",
  ...waitNames,
];
/** Renders counts, rates and amounts of data. */
export function renderTraffic(result: TestResult, style: Style): string[] {
  const { metrics, accounting } = result;
  const names = opensEachTime(metrics)
    ? [...connectionNames, ...trafficNames]
    : [...trafficNames, "connections_opened"];
  const amounts = renderAmounts(names, metrics, style);
  if (amounts.length > 0) return [style.heading("Traffic"), ...amounts, ...renderStatuses(result, style)];
  return [style.heading("Traffic"), ...style.paragraph(describeNoTraffic(accounting))];
}

function renderStatuses(result: TestResult, style: Style): string[] {
  const parts = statusCounts(result).map(
    ({ status, count }) => `${style.text(status)}: ${formatCount(count)}`,
  );
  return parts.length === 0 ? [] : style.pieces(parts, { lead: "statuses  " });
}

function describeNoTraffic({ requests, warmup }: TestResult["accounting"]): string {
  const count = (rows: typeof requests): number => sumBy(rows, (row) => row.started);
  const started = count(requests);
  if (started > 0) return `nothing measured: none of ${formatCount(started)} started requests finished`;
  const inWarmup = count(warmup?.requests ?? []);
  return inWarmup === 0
    ? "no requests were made"
    : `nothing measured: all ${formatCount(inWarmup)} requests were made during the warm-up`;
}

/** Renders durations: a row of percentiles for each metric, and the phases of a request. */
export function renderTimes(result: TestResult, style: Style): string[] {
  const { metrics } = result;
  const worthShowing = timeNames.filter((name) => isWorthShowing(name, metrics));
  const names = opensEachTime(metrics)
    ? [...connectingNames.filter((name) => hasTime(name, metrics)), ...worthShowing]
    : worthShowing;
  const expected = expectedTimes(result);
  const rows = names.flatMap((name) => [
    ...trendRows(name, metrics[name]),
    ...trendRows(`  ${expectedFilter}`, expected.get(name)),
  ]);
  if (rows.length === 0) return [];
  return [
    style.heading(
      "Times",
      expected.size === 0 ? "in ms" : "in ms, of all requests and of expected responses alone",
    ),
    ...tableLines({ columns: trendColumns, rows }, style),
    ...renderPhases(metrics, style),
    ...renderPercentileTrust(result, style),
    ...renderWaiting(result, style),
  ];
}

function isWorthShowing(name: string, metrics: Metrics): boolean {
  if (name === "iteration_response_time") return hasLateIterations(metrics);
  return !waitNames.includes(name) || hasTime(name, metrics);
}

function hasTime(name: string, metrics: Metrics): boolean {
  const metric = metrics[name];
  return metric?.type === "trend" && metric.values.max > 0;
}

/**
 * With fewer requests, a short run often has a connection for each just because each virtual user makes one
 * request.
 */
const leastRequests = 100;

/** True for a run that opened a connection for nearly each request. */
function opensEachTime({ connections_opened: opened, http_reqs: requests }: Metrics): boolean {
  if (opened?.type !== "counter" || requests?.type !== "counter") return false;
  return requests.values.count >= leastRequests && opened.values.count >= 0.9 * requests.values.count;
}

/** True if iterations started late. In closed models they start on time, so both metrics are the same. */
function hasLateIterations({ iteration_duration: own, iteration_response_time: due }: Metrics): boolean {
  if (own?.type !== "trend" || due?.type !== "trend") return true;
  const [shownOwn, shownDue] = [own, due].map((metric) =>
    trendCells(metric)
      .map((cell) => cell.text)
      .join(),
  );
  return shownOwn !== shownDue;
}

/** Renders the metrics of clients other than HTTP: a section for each. */
export function renderClients({ metrics, clients = {} }: TestResult, style: Style): string[] {
  const sections = Object.entries(clients)
    .map(([client, names]) => renderMetrics(style.text(client), names, metrics, style))
    .filter((lines) => lines.length > 0);
  return sections.flatMap((lines, index) => (index === 0 ? lines : ["", ...lines]));
}

/** Renders the metrics that the test declared. */
export function renderOwnMetrics(result: TestResult, style: Style): string[] {
  const { metrics, clients = {} } = result;
  const others = new Set([...Object.values(clients).flat(), ...gaugesOf(result).map(({ metric }) => metric)]);
  const own = Object.keys(metrics).filter((name) => !isBuiltInMetric(name) && !others.has(name));
  return renderMetrics("Own metrics", own, metrics, style);
}

/** Renders amounts and distributions under a heading; empty if none of them has a sample. */
function renderMetrics(heading: string, names: readonly string[], metrics: Metrics, style: Style): string[] {
  const rows = names.flatMap((name) => trendRows(name, metrics[name]));
  const lines = [
    ...renderAmounts(names, metrics, style),
    ...tableLines({ columns: trendColumns, rows }, style),
  ];
  return lines.length === 0 ? [] : [style.heading(heading), ...lines];
}

const amountColumns = [nameColumn(""), number(""), number(""), { ...text(""), keep: 1 }];
const trendColumns = [nameColumn(""), ...allTrendColumns];

function renderAmounts(names: readonly string[], metrics: Metrics, style: Style): string[] {
  const rows = names.flatMap((name) => {
    const metric = metrics[name];
    return metric === undefined || metric.type === "trend"
      ? []
      : [{ cells: [{ text: name }, ...amountsOf(metric).map((amount): Cell => ({ text: amount }))] }];
  });
  return tableLines({ columns: amountColumns, rows }, style);
}

function amountsOf(metric: Exclude<MetricResult, TrendResult>): string[] {
  const format = (value: number): string =>
    metric.unit === "bytes" ? formatBytes(value) : formatNumber(value);
  switch (metric.type) {
    case "counter": {
      const { count, rate } = metric.values;
      return [format(count), metric.unit === "bytes" ? `${formatBytes(rate)}/s` : formatRate(rate)];
    }
    case "rate": {
      const { rate, passes, fails } = metric.values;
      return [formatPercent(rate), "", `${formatCount(passes)} of ${formatCount(passes + fails)}`];
    }
    case "gauge": {
      const { value, min, max } = metric.values;
      return [format(value), "", `from ${format(min)} to ${format(max)}`];
    }
  }
}

function trendRows(title: string, metric: MetricResult | undefined): Row[] {
  return metric?.type === "trend" ? [{ cells: [{ text: title }, ...trendCells(metric)] }] : [];
}

function renderPhases(metrics: Metrics, style: Style): string[] {
  const parts = phaseNames.flatMap((phase) => {
    const { label, metric: name } = requestPhases[phase];
    const metric = metrics[name];
    return metric?.type === "trend" && metric.values.avg > 0
      ? [`${label} ${markLowerBound(formatDuration(metric.values.avg), metric.censored !== undefined)}`]
      : [];
  });
  if (parts.length === 0) return [];
  return style.pieces(parts, { lead: "average request: ", paint: style.faint });
}

/** Renders the confidence interval of the p99 of requests, or how many samples it needs. */
function renderPercentileTrust({ metrics }: TestResult, style: Style): string[] {
  const metric = metrics["http_req_duration"];
  if (metric?.type !== "trend") return [];
  const text = describeTrust(metric);
  return text === null ? [] : style.paragraph(text, { paint: style.faint });
}

function describeTrust({ values, confidence, censored }: TrendResult): string | null {
  const samples = values.count;
  const interval = confidence?.["p(99)"];
  if (interval !== undefined) {
    const [low, high] = interval.map((ms) =>
      markLowerBound(formatDuration(ms), censored !== undefined && ms >= censored.from),
    );
    return `p99 of http_req_duration: ${low} to ${high} (95 % confidence interval)`;
  }
  const needed = samplesForConfidence(99);
  if (samples >= needed) return null;
  return `p99 has ${formatCounted(samples, "sample")}; a 95 % confidence interval needs ${needed}`;
}
