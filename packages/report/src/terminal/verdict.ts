import type { TestResult } from "@bearhug/sdk";

import { signOf } from "../comparison-answer.ts";
import { outcomeOf, reasonsOf, sentence, splitReason } from "../describe-outcome.ts";
import { renderFrame } from "./example.ts";
import type { Style } from "./style.ts";

/**
 * Renders the verdict with the first reason on its line, and every other reason below; lines of source follow
 * their reason.
 */
export function renderVerdict(result: TestResult, style: Style): string[] {
  const head = outcomeWord(result, style);
  const symbol = style.symbols[signOf(result)];
  const outcome = outcomeOf(result);
  const indent = symbol.length + 1;
  const [first, ...others] = reasonsOf(result);
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

/** Renders the last line of the summary: the verdict again, with the exit code. */
export function renderClosing(result: TestResult, style: Style): string {
  return `${outcomeWord(result, style)}, exit code ${result.exitCode}`;
}

function outcomeWord(result: TestResult, style: Style): string {
  const sign = signOf(result);
  const { good, bad, warning } = style;
  const paint = { passed: good, failed: bad, warning, unknown: warning }[sign];
  return style.strong(paint(`${style.symbols[sign]} ${outcomeOf(result)}`));
}
