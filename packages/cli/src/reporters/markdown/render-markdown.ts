import type { CheckResult, ErrorResult, TestResult, ThresholdResult } from "@bearhug/sdk";

import { formatDuration, formatPlanned } from "../../format/duration.ts";
import { formatCount, formatRate } from "../../format/number.ts";
import { formatPercent } from "../../format/percent.ts";
import { describeBothTimes } from "../expected-times.ts";
import { generatorWord } from "../generator-word.ts";
import { endedOf, unfinishedOf } from "../request-counts.ts";
import { trendsOf } from "../merged-rows.ts";
import { describeActual, describeFailure, describeTooFew } from "../threshold-words.ts";
import { describeTransfer } from "../transfer.ts";
import { fewStatistics, statisticCells } from "../trend-table.ts";
import {
  describeAnswer,
  describeConfirmation,
  describeReading,
  describeTrialVerdict,
  formatTrialLoad,
  titleReading,
} from "../capacity-words.ts";
import { statusCounts } from "../status-words.ts";
import { requestRate, titleOf } from "../described-step.ts";
import { signOf, type OutcomeSign } from "../answer-words.ts";
import { outcomeOf, reasonsOf, splitReason } from "../verdict-words.ts";
import { comparisonSection } from "../comparison/render-markdown.ts";
import { code, codeBlock, words } from "./escape-markdown.ts";
import { exampleSection } from "./examples.ts";
import { item, section, table } from "./pieces.ts";
import { monitorSection } from "./monitors.ts";
import { overloadSection } from "./overload.ts";
import { sweepSections } from "./sweep.ts";
import { timelineSection } from "./timeline.ts";
import { variantSections } from "./variants.ts";

/** A run as GitHub-flavoured markdown. */
export function renderMarkdown(result: TestResult): string {
  return renderMarkdownPieces(result).join("");
}

/** The same in pieces: the document may end after any of them and still reads well. */
export function renderMarkdownPieces(result: TestResult): string[] {
  return [
    ...verdict(result),
    ...sweepSections(result),
    ...facts(result),
    ...section("Capacity", capacityPieces(result)),
    ...overloadSection(result),
    ...comparisonSection(result),
    ...thresholds(result),
    ...timelineSection(result),
    ...checks(result),
    ...variantSections(result),
    ...requests(result),
    ...errors(result),
    ...exampleSection(result),
    ...section(
      "Notes",
      result.notes.map((note) => item(words(note))),
    ),
    ...monitorSection(result),
    ...generator(result),
  ];
}

const symbols = { good: "✅", bad: "❌", warning: "⚠️", unknown: "➖" };
const signs = {
  passed: symbols.good,
  failed: symbols.bad,
  warning: symbols.warning,
  unknown: symbols.unknown,
} as const satisfies Record<OutcomeSign, string>;

function verdict(result: TestResult): string[] {
  const symbol = signs[signOf(result)];
  const reasons = reasonsOf({ ...result, notes: [] }).map(splitReason);
  return [
    `## ${symbol} bearhug: ${outcomeOf(result)}\n\n`,
    ...reasons.flatMap(({ text, frame }) => [
      item(words(text)),
      ...(frame === "" ? [] : [`\n${codeBlock(frame)}\n`]),
    ]),
  ];
}

function facts(result: TestResult): string[] {
  const { test, plan, startedAt, durationMs, seed, exitCode, truncated } = result;
  const times = describeBothTimes(result);
  const started = `${startedAt.slice(0, 10)} ${startedAt.slice(11, 19)} UTC`;
  const rows = [
    ["test", [titleOf(result), ...(test.file === null ? [] : [test.file])].map(code).join(" in ")],
    ...(test.target === null ? [] : [["target", code(test.target)]]),
    ["ran", `${formatDuration(durationMs)} from ${started}, seed ${seed}`],
    ...plan.scenarios.map(({ name, executor, description, transport }) => [
      "load",
      `${code(name)}: ${executor}, ${words(description)}${transport === "bearhug" ? "" : `, transport: ${transport}`}`,
    ]),
    ["traffic", [...describeTraffic(result), ...describeTransfer(result)].join(", ")],
    ...statusRow(result),
    ...(times.length === 0 ? [] : [["times", times.join("; ")]]),
    ...unfinishedRow(result),
    ["exit code", `${exitCode}${truncated ? ", from the recording of a killed run" : ""}`],
  ];
  return ["\n", ...table([{ title: "" }, { title: "" }], rows)];
}

function describeTraffic(result: TestResult): string[] {
  const { accounting } = result;
  const ended = sum(accounting.requests.map(endedOf));
  const failed = sum(accounting.requests.map((request) => request.failed));
  const perSecond = requestRate(result);
  const { completed, failed: threw } = accounting.iterations;
  return [
    `${formatCount(ended)} requests${perSecond === null ? "" : ` (${formatRate(perSecond)})`}`,
    `${formatPercent(ended === 0 ? 0 : failed / ended)} failed`,
    `${formatCount(completed + threw)} iterations`,
    ...(threw > 0 ? [`${formatCount(threw)} of them failed`] : []),
  ];
}

function statusRow(result: TestResult): string[][] {
  const told = statusCounts(result).map(({ status, count }) => `${words(status)}: ${formatCount(count)}`);
  return told.length === 0 ? [] : [["statuses", told.join(", ")]];
}

function unfinishedRow({ accounting: { iterations, requests: made } }: TestResult): string[][] {
  const parts = [
    [iterations.dropped, "iterations dropped"],
    [iterations.interrupted, "iterations interrupted"],
    [iterations.lost, "iterations lost"],
    [sum(made.map(unfinishedOf)), "requests interrupted or lost"],
  ] as const;
  const told = parts.filter(([count]) => count > 0).map(([count, what]) => `${formatCount(count)} ${what}`);
  return told.length === 0 ? [] : [["unfinished", told.join(", ")]];
}

function thresholds(result: TestResult): string[] {
  const columns = ["", "metric", "must be", "was", "details"].map((title) => ({ title }));
  const rows = result.thresholds.map((threshold) => thresholdRow(threshold, result));
  return section("Thresholds", table(columns, rows));
}

function thresholdRow(threshold: ThresholdResult, result: TestResult): string[] {
  const { metric, expression, window, passed, source } = threshold;
  const tooFew = passed === null ? null : describeTooFew(threshold);
  const details = [
    ...describeFailure(threshold),
    ...(tooFew === null ? [] : [tooFew]),
    ...(passed === false && source !== null ? [code(`${source.file}:${source.line}`)] : []),
  ];
  return [
    passed === null ? symbols.unknown : passed ? symbols.good : symbols.bad,
    code(metric),
    `${code(expression)}${window === null ? "" : ` in any ${formatPlanned(window.widthMs)}`}`,
    describeActual(threshold, result),
    details.join(", "),
  ];
}

function checks({ checks: all }: TestResult): string[] {
  const columns = ["", "check", "in", "passed", "failed"].map((title, index) => ({
    title,
    isNumber: index > 2,
  }));
  const rows = all.map(({ name, scenario, page, passes, fails }) => [
    fails > 0 ? symbols.bad : symbols.good,
    code(name),
    [scenario, ...(page === null ? [] : [page])].map(code).join(", "),
    passes + fails === 0 ? "never run" : formatPercent(passes / (passes + fails)),
    `${formatCount(fails)} of ${formatCount(passes + fails)}`,
  ]);
  return section("Checks", [...table(columns, rows), ...all.flatMap(checkException)]);
}

function checkException({ name, exception }: CheckResult): string[] {
  if (exception === null) return [];
  const { count, message, source, frame } = exception;
  const times = count === 1 ? "once" : `${formatCount(count)} times`;
  const threw = `${code(name)} threw ${times}: ${words(message)}`;
  return [example(threw, source ?? null, frame)];
}

/** An exception below a table, with its lines of source. */
function example(markdown: string, source: ErrorResult["source"] | null, frame: string | null): string {
  const place = source ? ` at ${code(`${source.file}:${source.line}:${source.column}`)}` : "";
  return `\n${markdown}${place}\n${frame === null ? "" : `\n${codeBlock(frame)}`}`;
}

function requests(result: TestResult): string[] {
  const made = result.accounting.requests.toSorted((left, right) => endedOf(right) - endedOf(left));
  const hasUnfinished = made.some((request) => unfinishedOf(request) > 0);
  const durations = trendsOf(result.names, "http_req_duration");
  const titles = ["count", "failed", ...(hasUnfinished ? ["unfinished"] : [])];
  const columns = [
    { title: "name" },
    ...[...titles, ...fewStatistics.map(({ title }) => `${title} ms`)].map((title) => ({
      title,
      isNumber: true,
    })),
  ];
  const rows = made.map((request) => [
    code(request.name),
    formatCount(endedOf(request)),
    formatCount(request.failed),
    ...(hasUnfinished ? [formatCount(unfinishedOf(request))] : []),
    ...statisticCells(durations.get(request.name), fewStatistics, "ms"),
  ]);
  return section("Requests", table(columns, rows));
}

function errors({ errors: all }: TestResult): string[] {
  const sorted = all.toSorted((left, right) => right.count - left.count);
  const columns = [
    { title: "count", isNumber: true },
    { title: "first at", isNumber: true },
    ...["what", "where", "first message"].map((title) => ({ title })),
  ];
  const rows = sorted.map(({ count, firstAtMs, code: kind, cause, name, message }) => [
    formatCount(count),
    formatDuration(firstAtMs),
    code(cause === null || cause === kind ? kind : `${kind} (${cause})`),
    code(name),
    words(message),
  ]);
  const examples = sorted.flatMap(({ code: kind, name, source, frame }) =>
    source ? [example(`${code(kind)} in ${code(name)}`, source, frame ?? null)] : [],
  );
  return section("Errors", [...table(columns, rows), ...examples]);
}

function generator({ generator: { verdict, reasons, workers }, durationMs }: TestResult): string[] {
  if (workers.length === 0) return [];
  const word = generatorWord({ verdict }, durationMs);
  const how = word === "not judged" ? "not judged, the run was too short" : word;
  const lost = workers.flatMap(({ id, lost: why }) =>
    why === null ? [] : [item(`worker ${id} was lost: ${words(why)}`)],
  );
  const count = workers.length === 1 ? "1 worker" : `${formatCount(workers.length)} workers`;
  return section("Load generator", [
    item(`${how}: ${count}`),
    ...reasons.map((reason) => item(words(reason))),
    ...lost,
  ]);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function capacityPieces({ capacity }: TestResult): string[] {
  if (capacity === undefined) return [];
  const { objectives, trials, limitedBy } = capacity;
  const confirmation = describeConfirmation(capacity);
  const columns = [
    { title: "load", isNumber: true },
    { title: "verdict" },
    { title: "succeeded", isNumber: true },
    { title: "p99", isNumber: true },
    ...objectives.map((objective) => ({ title: titleReading(code(objective.text), objective) })),
  ];
  const rows = trials.map((trial) => [
    formatTrialLoad(trial),
    describeTrialVerdict(trial),
    formatRate(trial.figures.goodRate),
    trial.figures.times === null ? "" : formatDuration(trial.figures.times.p99),
    ...objectives.map((objective, index) => describeReading(trial.readings[index] ?? null, objective)),
  ]);
  return [
    item(words(describeAnswer(capacity))),
    ...(confirmation === null ? [] : [item(words(confirmation))]),
    ...(limitedBy === null ? [] : [item(words(`limited by ${limitedBy}`))]),
    "\n",
    ...table(columns, rows),
  ];
}
