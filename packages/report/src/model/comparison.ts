import { formatChange, formatInterval, formatTolerance } from "@bearhug/metrics/comparison/change";
import { formatInUnit } from "@bearhug/metrics/results/format-in-unit";
import type { ComparedFigure, ComparedSide, ComparisonAnswer, ComparisonResult } from "@bearhug/sdk/result";
import { formatRate } from "@bearhug/text/number";
import { formatPercent } from "@bearhug/text/percent";

import {
  type Cell,
  type Column,
  empty,
  name,
  number,
  type Table,
  text,
  type Tone,
  valueCell,
} from "./table.ts";

/** The answers, as reports word them. */
export const answerWords: { readonly [Answer in ComparisonAnswer]: Uppercase<Answer> } = {
  regressed: "REGRESSED",
  ok: "OK",
  undecided: "UNDECIDED",
};

const answerTones: Readonly<Record<ComparisonAnswer, Tone>> = {
  regressed: "bad",
  ok: "good",
  undecided: "warning",
};

/** Returns the word of an answer and its tone. */
export function answerCell(answer: ComparisonAnswer): Required<Pick<Cell, "text" | "tone">> {
  return { text: answerWords[answer], tone: answerTones[answer] };
}

/** Returns the table of the figures that decide, with the answer of each. */
export function decidingTable(comparison: ComparisonResult): Table {
  const { figures } = comparison;
  return {
    id: "compared",
    title: "What decides",
    note: describeTolerance(comparison),
    columns: [...columns, { title: "answer", kind: "answer" }],
    rows: figures.map((figure) => ({
      cells: [...cellsOf(figure), figure.answer === null ? empty : answerCell(figure.answer)],
    })),
  };
}

/** Returns the table of the figures that do not decide. */
export function exploratoryTable({ exploratory }: Pick<ComparisonResult, "exploratory">): Table {
  return {
    id: "exploratory",
    title: "Exploratory",
    note: "decides nothing: of many figures, some differ by chance",
    columns,
    rows: exploratory.map((figure) => ({ cells: cellsOf(figure) })),
  };
}

const columns: readonly Column[] = [
  name("figure"),
  number("base", 3),
  number("new", 2),
  number("change"),
  { ...text("interval"), keep: 1 },
];

function cellsOf(figure: ComparedFigure): Cell[] {
  const { metric, aggregation, difference, interval } = figure;
  const shown = (value: number): string => shownValue(figure, value);
  return [
    { text: `${metric} ${aggregation}` },
    valueCell(figure.base, shown),
    valueCell(figure.new, shown),
    valueCell(difference, (value) => formatChange(figure.change, value)),
    { text: formatInterval(figure), ...(interval !== null && { value: interval[0] }) },
  ];
}

function shownValue({ change, unit, aggregation }: ComparedFigure, value: number): string {
  if (change === "points") return formatPercent(value);
  if (unit !== "ms" && (aggregation === "rate" || aggregation === "count")) return formatRate(value);
  return formatInUnit(value, unit);
}

/** Names the two sides. */
export function describeSides({ base, new: other, sides }: ComparisonResult): string {
  const nameOf = sides === "turns" ? targetOf : runsOf;
  return `${nameOf(other)} against ${nameOf(base)}`;
}

function targetOf({ target }: ComparedSide): string {
  return target ?? "the test's target";
}

function runsOf({ runs }: ComparedSide): string {
  const [first, ...others] = runs;
  const file = first?.file ?? "this run";
  return others.length === 0 ? file : `${file} and ${others.length} more`;
}

/** Describes the accepted changes for the worse. */
function describeTolerance({ tolerance, rateTolerance, figures }: ComparisonResult): string {
  const kinds = new Set(figures.map(({ change }) => change));
  const times = kinds.has("relative") ? [`${formatTolerance("relative", tolerance)} for the worse`] : [];
  const rates = kinds.has("points") ? [`${formatTolerance("points", rateTolerance)} of a rate`] : [];
  return `tolerated: ${[...times, ...rates].join(", ")}`;
}
