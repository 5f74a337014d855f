import type { TestResult, Verdict } from "@bearhug/sdk";
import { formatCount } from "../../format/number.ts";
import { renderFrame } from "./example.ts";
import type { Style } from "./style.ts";

/** The verdict with the first reason on its line, and every other reason below; lines of source follow their reason. */
export function renderVerdict(result: TestResult, style: Style): string[] {
  const head = outcomeWord(result, style);
  const symbol = style.symbols[result.verdict === "passed" ? "passed" : "failed"];
  const outcome = outcomeOf(result);
  const indent = symbol.length + 1;
  const [first, ...others] = reasons(result);
  const { text, frame } = splitReason(first ?? outcome);
  const headline = style.paragraph(sentence(outcome, style.text(text)), {
    indent: 0,
    lead: `${symbol} `,
  });
  return [
    ...headline.map((line, index) => (index === 0 ? line.replace(`${symbol} ${outcome}`, () => head) : line)),
    ...renderFrame(frame, indent, style),
    ...others.flatMap((reason) => renderOther(reason, indent, style)),
  ];
}

function renderOther(reason: string, indent: number, style: Style): string[] {
  const { text, frame } = splitReason(reason);
  return [
    ...style.paragraph(style.text(text), { indent, lead: `${style.symbols.dot} ` }),
    ...renderFrame(frame, indent + 2, style),
  ];
}

/** A reason is a sentence, and may have lines of the test's source below it. */
function splitReason(reason: string): { readonly text: string; readonly frame: string } {
  const [text = "", ...frame] = reason.split("\n");
  return { text, frame: frame.join("\n") };
}

/** "failed: no request succeeded", but "interrupted by SIGINT". */
function sentence(outcome: Outcome, reason: string): string {
  if (reason === outcome || reason.startsWith(`${outcome} `)) return reason;
  return `${outcome}: ${reason}`;
}

/** The last line of the summary: the verdict again, with the exit code. */
export function renderClosing(result: TestResult, style: Style): string {
  return `${outcomeWord(result, style)}, exit code ${result.exitCode}`;
}

type Outcome = Verdict | "completed";

/** The verdict as people read it: a run that passed without a threshold has only completed. */
function outcomeOf({ verdict, thresholds }: TestResult): Outcome {
  return verdict === "passed" && thresholds.length === 0 ? "completed" : verdict;
}

function outcomeWord(result: TestResult, style: Style): string {
  const passed = result.verdict === "passed";
  const paint = passed ? style.good : style.bad;
  return style.strong(paint(`${style.symbols[passed ? "passed" : "failed"]} ${outcomeOf(result)}`));
}

/** The messages and notes of the result. If none is about thresholds, a count of them is added. */
function reasons({ messages: decisive, notes, thresholds }: TestResult): string[] {
  const messages = [...decisive, ...notes];
  const hasSaid = messages.some((message) => /threshold/i.test(message));
  const counted = hasSaid ? undefined : countThresholds(thresholds);
  if (counted === undefined) return messages;
  if (thresholds.some(({ passed }) => passed === false)) return [counted, ...messages];
  return thresholds.length === 0 && messages.length > 0 ? messages : [...messages, counted];
}

function countThresholds(thresholds: TestResult["thresholds"]): string | undefined {
  const failed = thresholds.filter(({ passed }) => passed === false).length;
  const judged = thresholds.filter(({ passed }) => passed !== null).length;
  const plural = thresholds.length === 1 ? "threshold" : "thresholds";
  if (failed > 0) return `${formatCount(failed)} of ${formatCount(thresholds.length)} ${plural} failed`;
  if (thresholds.length === 0) return "no thresholds defined";
  if (judged < thresholds.length) return undefined;
  return thresholds.length === 1
    ? "the threshold held"
    : `all ${formatCount(thresholds.length)} thresholds held`;
}
