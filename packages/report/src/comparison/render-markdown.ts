import type { TestResult } from "@bearhug/sdk";
import type { ComparisonResult } from "@bearhug/sdk/result";

import { words } from "../markdown/escape-markdown.ts";
import { items, section, signs, table } from "../markdown/pieces.ts";
import { answerCell, decidingTable, describeSides, exploratoryTable } from "../model/comparison.ts";
import type { Table } from "../model/table.ts";

/** Renders a comparison as GitHub-flavoured Markdown. */
export function renderComparisonMarkdown(comparison: ComparisonResult): string {
  return renderComparisonPieces(comparison).join("");
}

/** Renders the same in pieces: the document may be cut after any of them and still reads well. */
export function renderComparisonPieces(comparison: ComparisonResult): string[] {
  const { verdict, test } = comparison;
  const { text, tone } = answerCell(verdict);
  return [
    `## ${signs[tone]} bearhug compare: ${text}\n\n`,
    `${words(test.name)}: ${words(describeSides(comparison))}\n\n`,
    ...comparisonPieces(comparison),
  ];
}

/** Renders the section about the comparison of a run. */
export function comparisonSection({ comparison }: TestResult): string[] {
  if (comparison === undefined) return [];
  const { text, tone } = answerCell(comparison.verdict);
  return section(`Comparison: ${signs[tone]} ${text}`, [
    `${words(describeSides(comparison))}\n\n`,
    ...comparisonPieces(comparison),
  ]);
}

function comparisonPieces(comparison: ComparisonResult): string[] {
  const { messages, notes } = comparison;
  const deciding = decidingTable(comparison);
  return [
    ...items(messages),
    `\n${words(deciding.note)}\n\n`,
    ...table(deciding),
    ...folded(exploratoryTable(comparison)),
    ...section("Notes", items(notes)),
  ];
}

/** Folds the exploratory figures, so that a comment on a pull request stays short. */
function folded(exploratory: Table): string[] {
  if (exploratory.rows.length === 0) return [];
  return [
    "\n<details><summary>Exploratory figures: they decide nothing</summary>\n\n",
    ...table(exploratory),
    "\n</details>\n",
  ];
}
