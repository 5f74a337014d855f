import type { TestResult } from "@bearhug/sdk";

import { formatCount, formatCounted, formatRate } from "../../format/number.ts";
import { formatPercent } from "../../format/percent.ts";
import { signOf, type OutcomeSign } from "../answer-words.ts";
import { comparisonSection } from "../comparison/render-markdown.ts";
import { requestRate } from "../described-step.ts";
import { describeBothTimes } from "../expected-times.ts";
import { generatorWord } from "../generator-word.ts";
import { describeAnswer, describeSearch, trialTable } from "../model/capacity.ts";
import { checkTable } from "../model/checks.ts";
import { errorTable } from "../model/errors.ts";
import { describeGaps, gaugeTable } from "../model/monitors.ts";
import { describeOverload, phaseTable } from "../model/overload.ts";
import { describeRun, type Piece } from "../model/run-facts.ts";
import { endedOf, requestTable, unfinishedOf } from "../model/run-parts.ts";
import { statusCounts } from "../model/statuses.ts";
import { type Details, detailsOf } from "../model/table.ts";
import { thresholdTable } from "../model/thresholds.ts";
import { describeTransfer } from "../transfer.ts";
import { outcomeOf, reasonsOf, splitReason } from "../verdict-words.ts";
import { code, codeBlock, words } from "./escape-markdown.ts";
import { exampleSection } from "./examples.ts";
import { example, grid, item, items, section, signs, table, tableSection } from "./pieces.ts";
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
    ...tableSection(thresholdTable(result), thresholdDetails),
    ...timelineSection(result),
    ...tableSection(checkTable(result)),
    ...checkExamples(result),
    ...variantSections(result),
    ...tableSection(requestTable(result)),
    ...errors(result),
    ...exampleSection(result),
    ...section("Notes", items(result.notes)),
    ...monitors(result),
    ...generator(result),
  ];
}

const outcomeSigns: Readonly<Record<OutcomeSign, string>> = {
  passed: signs.good,
  failed: signs.bad,
  warning: "⚠️",
  unknown: signs.warning,
};

function verdict(result: TestResult): string[] {
  const symbol = outcomeSigns[signOf(result)];
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
  const times = describeBothTimes(result);
  const rows = [
    // The traffic has the transfer, too.
    ...describeRun(result)
      .filter(({ label }) => label !== "transfer")
      .map(({ label, pieces }) => [label, pieces.map(writePiece).join(", ")]),
    ["traffic", [...describeTraffic(result), ...describeTransfer(result)].join(", ")],
    ...statusRow(result),
    ...(times.length === 0 ? [] : [["times", times.join("; ")]]),
    ...unfinishedRow(result),
    ["exit code", `${result.exitCode}${result.truncated ? ", from the recording of a killed run" : ""}`],
  ];
  return ["\n", ...grid(["", ""], rows)];
}

function writePiece(piece: Piece): string {
  if (typeof piece === "string") return piece;
  return "name" in piece ? `${code(piece.name)}${piece.after ?? ""}` : words(piece.sentence);
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

function checkExamples({ checks: all }: TestResult): string[] {
  return all.flatMap(({ name, exception }) => {
    if (exception === null) return [];
    const { count, message } = exception;
    const times = count === 1 ? "once" : `${formatCount(count)} times`;
    return [example(`${code(name)} threw ${times}: ${words(message)}`, detailsOf(exception))];
  });
}

function errors(result: TestResult): string[] {
  const model = errorTable(result);
  const examples = model.rows.flatMap(({ cells: [, , what, where], details }) =>
    typeof details?.place !== "string"
      ? []
      : [example(`${code(what?.text ?? "")} in ${code(where?.text ?? "")}`, details)],
  );
  const messages = { title: "first message", write: ({ sentences }: Details) => sentences.map(words).join() };
  return section(model.title, [...table(model, messages), ...examples]);
}

function monitors(result: TestResult): string[] {
  const figures = table(gaugeTable(result));
  const gaps = items(describeGaps(result));
  return section("Monitors", [...figures, ...(figures.length > 0 && gaps.length > 0 ? ["\n"] : []), ...gaps]);
}

function overloadSection({ overload }: TestResult): string[] {
  if (overload === undefined) return [];
  return section("Overload", [...items(describeOverload(overload)), "\n", ...table(phaseTable(overload))]);
}

const thresholdDetails = {
  title: "details",
  write: ({ sentences, place }: Details): string =>
    [...sentences.map(words), ...(place === null ? [] : [code(place)])].join(", "),
};

function generator({ generator: { verdict, reasons, workers }, durationMs }: TestResult): string[] {
  if (workers.length === 0) return [];
  const word = generatorWord({ verdict }, durationMs);
  const how = word === "not judged" ? "not judged, the run was too short" : word;
  const lost = workers.flatMap(({ id, lost: why }) =>
    why === null ? [] : [item(`worker ${id} was lost: ${words(why)}`)],
  );
  return section("Load generator", [
    item(`${how}: ${formatCounted(workers.length, "worker")}`),
    ...reasons.map((reason) => item(words(reason))),
    ...lost,
  ]);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function capacityPieces({ capacity }: TestResult): string[] {
  if (capacity === undefined) return [];
  return [
    ...items([describeAnswer(capacity), ...describeSearch(capacity)]),
    "\n",
    ...table(trialTable(capacity)),
  ];
}
