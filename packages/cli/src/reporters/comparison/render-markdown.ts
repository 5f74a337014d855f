import type { TestResult } from "@bearhug/sdk";
import type { ComparedFigure, ComparisonAnswer, ComparisonResult } from "@bearhug/sdk/internal";

import { code, words } from "../markdown/escape-markdown.ts";
import { item, section, table, type Column } from "../markdown/pieces.ts";
import { answerWords, describeSides, describeTolerance, figureCells } from "./words.ts";

const symbols: Readonly<Record<ComparisonAnswer, string>> = { regressed: "❌", ok: "✅", undecided: "➖" };

/** A comparison as GitHub-flavoured markdown. */
export function renderComparisonMarkdown(comparison: ComparisonResult): string {
  return renderComparisonPieces(comparison).join("");
}

/** The same in pieces: the document may end after any of them and still reads well. */
export function renderComparisonPieces(comparison: ComparisonResult): string[] {
  const { verdict, test } = comparison;
  return [
    `## ${symbols[verdict]} bearhug compare: ${answerWords[verdict]}\n\n`,
    `${words(test.name)}: ${words(describeSides(comparison))}\n\n`,
    ...comparisonPieces(comparison),
  ];
}

/** The section of a run that was compared. */
export function comparisonSection({ comparison }: TestResult): string[] {
  if (comparison === undefined) return [];
  const title = `Comparison: ${symbols[comparison.verdict]} ${answerWords[comparison.verdict]}`;
  return section(title, [`${words(describeSides(comparison))}\n\n`, ...comparisonPieces(comparison)]);
}

function comparisonPieces(comparison: ComparisonResult): string[] {
  const { messages, notes, figures, exploratory } = comparison;
  return [
    ...messages.map((text) => item(words(text))),
    `\n${words(describeTolerance(comparison))}\n\n`,
    ...table(
      [...columns, { title: "" }],
      figures.map((figure) => [...rowOf(figure), answerOf(figure)]),
    ),
    ...folded(exploratory),
    ...section(
      "Notes",
      notes.map((text) => item(words(text))),
    ),
  ];
}

const columns: readonly Column[] = [
  { title: "" },
  { title: "base", isNumber: true },
  { title: "new", isNumber: true },
  { title: "change", isNumber: true },
  { title: "interval" },
];

function rowOf(figure: ComparedFigure): string[] {
  const cells = figureCells(figure);
  return [code(cells.figure), cells.base, cells.new, cells.change, cells.interval];
}

function answerOf({ answer }: ComparedFigure): string {
  return answer === null ? "" : `${symbols[answer]} ${answerWords[answer]}`;
}

/** A pull request's comment stays short. */
function folded(figures: readonly ComparedFigure[]): string[] {
  if (figures.length === 0) return [];
  return [
    "\n<details><summary>Exploratory figures: they decide nothing</summary>\n\n",
    ...table(columns, figures.map(rowOf)),
    "\n</details>\n",
  ];
}
