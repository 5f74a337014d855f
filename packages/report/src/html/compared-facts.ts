import type { ComparedSide, ComparisonResult, RunCurves } from "@bearhug/sdk/result";

import { answerCell, decidingTable, describeSides, exploratoryTable } from "../model/comparison.ts";
import type { ComparedFacts } from "./page-facts.ts";
import { shownTable, tableFacts } from "./table-facts.ts";

/** The answer of a comparison with its figures, and its reasons unless they are among those of a run that failed by it. */
export function gatherCompared(comparison: ComparisonResult): ComparedFacts {
  const { verdict, exitCode, messages, notes } = comparison;
  const { text: word, tone } = answerCell(verdict);
  return {
    tone,
    word,
    sides: describeSides(comparison),
    sentences: exitCode === 0 ? [...messages, ...notes] : notes,
    figures: tableFacts(decidingTable(comparison)),
    exploratory: shownTable(exploratoryTable(comparison))[0] ?? null,
  };
}

/** The run of a side that charts show; null where its curves are not known. */
export function curvesOfSide({ runs }: ComparedSide): RunCurves | null {
  return runs.at(-1)?.curves ?? null;
}
