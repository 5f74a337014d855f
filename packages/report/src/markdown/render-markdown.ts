import { formatLoad } from "@bearhug/metrics/results/load";
import { sumBy } from "@bearhug/metrics/sum";
import type { TestResult } from "@bearhug/sdk";
import type { FailedExchange, SweepResult, SweepTarget } from "@bearhug/sdk/result";
import { formatCount, formatCounted, formatRate } from "@bearhug/text/number";
import { formatPercent } from "@bearhug/text/percent";

import { signOf, type OutcomeSign } from "../comparison-answer.ts";
import { comparisonSection } from "../comparison/render-markdown.ts";
import { curlCommand } from "../curl-command.ts";
import { requestRate } from "../described-step.ts";
import { describeExchange, firstExamples } from "../describe-exchange.ts";
import { describeBothTimes } from "../expected-times.ts";
import { generatorWord } from "../generator-verdict.ts";
import { describeAnswer, describeSearch, trialTable } from "../model/capacity.ts";
import { checkTable } from "../model/checks.ts";
import { errorTable } from "../model/errors.ts";
import { describeGaps, gaugeTable } from "../model/monitors.ts";
import { describeOverload, phaseTable } from "../model/overload.ts";
import { describeRun, type Piece } from "../model/run-details.ts";
import { endedOf, requestTable, unfinishedOf } from "../model/run-parts.ts";
import { statusCounts } from "../model/statuses.ts";
import { describeSteps, describeTarget, stepTable } from "../model/sweep.ts";
import { type Details, detailsOf } from "../model/table.ts";
import { thresholdTable } from "../model/thresholds.ts";
import {
  describeCautions,
  describeTurns,
  describeUnclear,
  differenceTable,
  variantTable,
} from "../model/variants.ts";
import { describeTransfer } from "../transfer.ts";
import { outcomeOf, reasonsOf, splitReason } from "../describe-outcome.ts";
import { code, codeBlock, words } from "./escape-markdown.ts";
import { example, grid, item, items, section, signs, table, tableSection } from "./pieces.ts";
import { timelineSection } from "./timeline.ts";

/** Renders a run as GitHub-flavoured Markdown. */
export function renderMarkdown(result: TestResult): string {
  return renderMarkdownPieces(result).join("");
}

/** Renders the same in pieces: the document may be cut after any of them and still reads well. */
export function renderMarkdownPieces(result: TestResult): string[] {
  return [
    ...verdict(result),
    ...sweepSections(result),
    ...details(result),
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

function details(result: TestResult): string[] {
  const times = describeBothTimes(result);
  const rows = [
    // The row "traffic" includes the transfer.
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
  const ended = sumBy(accounting.requests, endedOf);
  const failed = sumBy(accounting.requests, (request) => request.failed);
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
  const listed = statusCounts(result).map(({ status, count }) => `${words(status)}: ${formatCount(count)}`);
  return listed.length === 0 ? [] : [["statuses", listed.join(", ")]];
}

function unfinishedRow({ accounting: { iterations, requests: made } }: TestResult): string[][] {
  const parts = [
    [iterations.dropped, "iterations dropped"],
    [iterations.interrupted, "iterations interrupted"],
    [iterations.lost, "iterations lost"],
    [sumBy(made, unfinishedOf), "requests interrupted or lost"],
  ] as const;
  const listed = parts.filter(([count]) => count > 0).map(([count, what]) => `${formatCount(count)} ${what}`);
  return listed.length === 0 ? [] : [["unfinished", listed.join(", ")]];
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

function capacityPieces({ capacity }: TestResult): string[] {
  if (capacity === undefined) return [];
  return [
    ...items([describeAnswer(capacity), ...describeSearch(capacity)]),
    "\n",
    ...table(trialTable(capacity)),
  ];
}

/** Renders the steps of a sweep and their findings: a section for each target. */
function sweepSections({ sweep }: TestResult): string[] {
  if (sweep === undefined) return [];
  return sweep.targets.flatMap((target) => targetSection(target, sweep));
}

function targetSection(target: SweepTarget, sweep: SweepResult): string[] {
  const { loadUnit, targets, described } = sweep;
  const title = targets.length > 1 ? `Sweep of ${code(target.name)}` : "Sweep";
  const shown =
    described?.target === target.name
      ? `; the other sections show the best step, at ${formatLoad(described.load, loadUnit)}`
      : "";
  return section(title, [
    `${words(describeSteps(sweep))}${shown}\n\n`,
    ...table(stepTable(sweep, [target])),
    "\n",
    ...items(describeTarget(target, loadUnit)),
  ]);
}

/** Renders the variants of a run: their figures, and how they differ from the first. */
function variantSections({ variants: result }: TestResult): string[] {
  if (result === undefined) return [];
  const differences = differenceTable(result);
  return section("Variants", [
    `${words(describeTurns(result))}\n\n`,
    ...table(variantTable(result)),
    `\n${words(differences.title)}:\n\n`,
    ...table(differences),
    "\n",
    ...items([...describeUnclear(result), ...describeCautions(result)]),
  ]);
}

const mostExamples = 10;

/** Renders the first failed exchange of each error, with a command that sends it again. */
function exampleSection(result: TestResult): string[] {
  return section(
    "Failing exchanges",
    firstExamples(result, mostExamples).map(
      (exchange, index) => (index === 0 ? "" : "\n") + writeExchange(exchange),
    ),
  );
}

function writeExchange(exchange: FailedExchange): string {
  const { command, notes } = curlCommand(exchange);
  const body = exchange.response?.body?.text ?? null;
  return [
    `${code(exchange.code)} in ${code(exchange.name)}: ${words(describeExchange(exchange))}\n`,
    ...(body === null ? [] : [`\n${codeBlock(body.trim())}`]),
    `\n${codeBlock(command)}`,
    ...(notes.length === 0 ? [] : ["\n", ...items(notes)]),
  ].join("");
}
