import type { TestResult, Verdict } from "@bearhug/sdk";
import { formatCount } from "../../format/number.ts";
import { renderFrame } from "./example.ts";
import type { Style } from "./style.ts";

/** The verdict with the first reason on its line, and every other reason below; lines of source follow their reason. */
export function renderVerdict(result: TestResult, style: Style): string[] {
  const head = verdictWord(result.verdict, style);
  const symbol = style.symbols[result.verdict === "passed" ? "passed" : "failed"];
  const indent = symbol.length + 1;
  const [first, ...others] = reasons(result);
  const { text, frame } = splitReason(first ?? result.verdict);
  const headline = style.paragraph(sentence(result.verdict, style.text(text)), {
    indent: 0,
    lead: `${symbol} `,
  });
  return [
    ...headline.map((line, index) =>
      index === 0 ? line.replace(`${symbol} ${result.verdict}`, () => head) : line,
    ),
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
function sentence(verdict: Verdict, reason: string): string {
  if (reason === verdict || reason.startsWith(`${verdict} `)) return reason;
  return `${verdict}: ${reason}`;
}

/** Once more, for whoever reads from the end. */
export function renderClosing({ verdict, exitCode }: TestResult, style: Style): string {
  return `${verdictWord(verdict, style)}, exit code ${exitCode}`;
}

function verdictWord(verdict: Verdict, style: Style): string {
  const passed = verdict === "passed";
  const paint = passed ? style.good : style.bad;
  return style.strong(paint(`${style.symbols[passed ? "passed" : "failed"]} ${verdict}`));
}

/** What the run says of itself; where it says nothing of thresholds, they are counted. */
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
  if (failed > 0) return `${formatCount(failed)} of ${formatCount(thresholds.length)} ${plural} did not hold`;
  if (thresholds.length === 0) return "there were no thresholds to judge";
  if (judged < thresholds.length) return undefined;
  return thresholds.length === 1
    ? "the threshold held"
    : `all ${formatCount(thresholds.length)} thresholds held`;
}
