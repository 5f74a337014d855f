import type { TestResult, Verdict } from "@bearhug/sdk";
import { formatCount } from "../../format/number.ts";
import type { Style } from "./style.ts";

/** The verdict with the first reason on its line, and every other reason below. */
export function renderVerdict(result: TestResult, style: Style): string[] {
  const [first, ...others] = reasons(result).map(style.text);
  const head = verdictWord(result.verdict, style);
  const symbol = style.symbols[result.verdict === "passed" ? "passed" : "failed"];
  const indent = symbol.length + 1;
  const headline = style.paragraph(sentence(result.verdict, first), { indent: 0, lead: `${symbol} ` });
  return [
    ...headline.map((line, index) =>
      index === 0 ? line.replace(`${symbol} ${result.verdict}`, () => head) : line,
    ),
    ...others.flatMap((reason) => style.paragraph(reason, { indent, lead: `${style.symbols.dot} ` })),
  ];
}

/** "failed: not one request succeeded", but "interrupted by SIGINT". */
function sentence(verdict: Verdict, reason: string | undefined): string {
  if (reason === undefined || reason.startsWith(`${verdict} `)) return reason ?? verdict;
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
function reasons({ messages, thresholds }: TestResult): string[] {
  const hasSaid = messages.some((message) => /threshold/i.test(message));
  const counted = hasSaid ? undefined : countThresholds(thresholds);
  if (counted === undefined) return [...messages];
  return thresholds.some(({ passed }) => passed === false) || messages.length === 0
    ? [counted, ...messages]
    : [...messages];
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
