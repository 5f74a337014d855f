import type { ComparedSide, ComparisonResult, RunCurves } from "@bearhug/sdk/result";

import { answerCell, decidingTable, describeSides, exploratoryTable } from "../model/comparison.ts";
import type { ComparedData } from "./page-data.ts";
import { shownTable, tableData } from "./table-data.ts";

/**
 * Gathers the answer of a comparison and its figures. Its reasons are left out if they made the run fail,
 * because the verdict lists them.
 */
export function gatherCompared(comparison: ComparisonResult): ComparedData {
  const { verdict, exitCode, messages, notes } = comparison;
  const { text: word, tone } = answerCell(verdict);
  return {
    tone,
    word,
    sides: describeSides(comparison),
    sentences: exitCode === 0 ? [...messages, ...notes] : notes,
    figures: tableData(decidingTable(comparison)),
    exploratory: shownTable(exploratoryTable(comparison))[0] ?? null,
  };
}

/** Returns the curves of the run that charts show for a side; null if there are none. */
export function curvesOfSide({ runs }: ComparedSide): RunCurves | null {
  return runs.at(-1)?.curves ?? null;
}
