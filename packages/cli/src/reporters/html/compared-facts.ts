import type {
  ComparedFigure,
  ComparedSide,
  ComparisonAnswer,
  ComparisonResult,
  RunCurves,
} from "@bearhug/sdk/internal";

import { answerWords, describeSides, describeTolerance, figureCells } from "../comparison/words.ts";
import type { CellFacts, ComparedFacts, TableFacts, Tone } from "./page-facts.ts";
import { numberColumn, row, textCell, textColumn } from "./table-cells.ts";

export const answerTones: Readonly<Record<ComparisonAnswer, Tone>> = {
  regressed: "bad",
  ok: "good",
  undecided: "warning",
};

/** The answer of a comparison with its figures, and its reasons unless they are among those of a run that failed by it. */
export function gatherCompared(comparison: ComparisonResult): ComparedFacts {
  const { verdict, exitCode, messages, notes, figures, exploratory } = comparison;
  return {
    tone: answerTones[verdict],
    word: answerWords[verdict],
    sides: describeSides(comparison),
    sentences: exitCode === 0 ? [...messages, ...notes] : notes,
    figures: {
      id: "compared",
      title: "What decides",
      note: describeTolerance(comparison),
      columns: [textColumn("answer"), ...columns],
      rows: figures.map((figure) => row(answerCell(figure), ...cellsOf(figure))),
    },
    exploratory: exploratory.length === 0 ? null : exploratoryTable(exploratory),
  };
}

/** The run of a side that charts show; null where its curves are not known. */
export function curvesOfSide({ runs }: ComparedSide): RunCurves | null {
  return runs.at(-1)?.curves ?? null;
}

function exploratoryTable(figures: readonly ComparedFigure[]): TableFacts {
  return {
    id: "exploratory",
    title: "Exploratory",
    note: "These figures decide nothing: of many, some differ by chance.",
    columns,
    rows: figures.map((figure) => row(...cellsOf(figure))),
  };
}

const columns = [textColumn("figure"), ...["base", "new", "change", "interval"].map(numberColumn)];

function cellsOf(figure: ComparedFigure): CellFacts[] {
  const texts = figureCells(figure);
  const valued = (text: string, value: number | null): CellFacts =>
    value === null ? textCell(text) : { text, value };
  return [
    textCell(texts.figure),
    valued(texts.base, figure.base),
    valued(texts.new, figure.new),
    valued(texts.change, figure.difference),
    valued(texts.interval, figure.interval?.[0] ?? null),
  ];
}

function answerCell({ answer }: ComparedFigure): CellFacts {
  return answer === null ? textCell("") : { text: answerWords[answer], tone: answerTones[answer] };
}
