import type { TestResult } from "@bearhug/sdk";
import type { ComparisonResult } from "@bearhug/sdk/result";

import { renderComparisonPieces } from "../comparison/render-markdown.ts";
import { words } from "../markdown/escape-markdown.ts";
import { renderMarkdownPieces } from "../markdown/render-markdown.ts";

/** GitHub drops a step's summary that is larger than 1 MiB. */
export const mostSummaryBytes = 900_000;

const cutSentence = "\nThe rest of this report is left out: a job summary holds at most 1 MiB.\n";

/** Renders a run in as many bytes as there is room for; empty if not even the verdict fits. */
export function summarizeResult(result: TestResult, roomBytes: number): string {
  return fit(renderMarkdownPieces(result), roomBytes);
}

/** Renders a comparison in as many bytes as there is room for. */
export function summarizeComparison(comparison: ComparisonResult, roomBytes: number): string {
  return fit(renderComparisonPieces(comparison), roomBytes);
}

/** Renders the problems of a run that could not start. */
export function summarizeProblems(problems: readonly string[], exitCode: number, roomBytes: number): string {
  const items = problems.map((problem) => `- ${words(problem)}\n`);
  return fit([`## ❌ bearhug: not run, exit code ${exitCode}\n\n`, ...items], roomBytes);
}

function fit(pieces: readonly string[], roomBytes: number): string {
  const sizes = pieces.map((piece) => Buffer.byteLength(piece));
  if (sizes.reduce((sum, size) => sum + size, 0) <= roomBytes) return pieces.join("");
  let left = roomBytes - Buffer.byteLength(cutSentence);
  const end = sizes.findIndex((size) => (left -= size) < 0);
  return end <= 0 ? "" : pieces.slice(0, end).join("") + cutSentence;
}
