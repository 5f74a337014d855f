import { exitCodes } from "@bearhug/metrics/results/exit-codes";
import type { TestResult } from "@bearhug/sdk";
import type { ComparisonResult } from "@bearhug/sdk/result";
import { asLines } from "@bearhug/text/as-lines";
import type { Appearance } from "@bearhug/text/terminal";

import { answerCell, decidingTable, describeSides, exploratoryTable } from "../model/comparison.ts";
import { createStyle, type Style } from "../terminal/style.ts";
import { toAsciiFigures } from "../terminal/symbols.ts";
import { listLines, signs, tableLines, tableSection } from "../terminal/table-section.ts";

/** Renders a comparison for a terminal, with a line end after each line. */
export function renderComparison(comparison: ComparisonResult, appearance: Appearance): string {
  const style = createStyle(appearance);
  const { notes } = comparison;
  const exploratory = tableSection(exploratoryTable(comparison), style);
  const lines = [
    ...renderVerdict(comparison, style),
    "",
    ...renderDeciding(comparison, style),
    ...(exploratory.length === 0 ? [] : ["", ...exploratory]),
    ...(notes.length === 0 ? [] : ["", ...listLines(notes, style)]),
  ];
  const text = asLines(lines);
  return appearance.unicode ? text : toAsciiFigures(text);
}

/** Renders the verdict on the first line, with its reasons below. */
function renderVerdict({ verdict, messages, exitCode }: ComparisonResult, style: Style): string[] {
  const { text, tone } = answerCell(verdict);
  // The answer is good, but a report of it could not be written.
  const isUnwritten = exitCode === exitCodes.reportNotWritten && verdict === "ok";
  const symbol = style.symbols[isUnwritten ? "warning" : signs[tone]];
  const word = style.strong(style[isUnwritten ? "warning" : tone](`${symbol} ${text}`));
  return [`${word}${exitCode === 0 ? "" : `, exit code ${exitCode}`}`, ...listLines(messages, style)];
}

/** Renders the section about the comparison of a run. */
export function comparisonSection({ comparison }: TestResult, style: Style): string[] {
  if (comparison === undefined) return [];
  return [...renderDeciding(comparison, style), ...listLines(comparison.notes, style)];
}

function renderDeciding(comparison: ComparisonResult, style: Style): string[] {
  const table = decidingTable(comparison);
  return [
    style.heading("Comparison", style.text(describeSides(comparison))),
    ...style.paragraph(table.note, { paint: style.faint }),
    ...tableLines(table, style),
  ];
}
