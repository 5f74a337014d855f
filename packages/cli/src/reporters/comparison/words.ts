import type { ComparedFigure, ComparedSide, ComparisonAnswer, ComparisonResult } from "@bearhug/sdk/internal";

import { formatChange, formatInterval, formatTolerance } from "../../format/change.ts";
import { formatInUnit } from "../../format/in-unit.ts";
import { formatRate } from "../../format/number.ts";
import { formatPercent } from "../../format/percent.ts";

/** The answers as people read them. */
export const answerWords: { readonly [Answer in ComparisonAnswer]: Uppercase<Answer> } = {
  regressed: "REGRESSED",
  ok: "OK",
  undecided: "UNDECIDED",
};

/** The texts of a figure, for the cells of a table. */
export interface FigureCells {
  readonly figure: string;
  readonly base: string;
  readonly new: string;
  readonly change: string;
  readonly interval: string;
}

export function figureCells(figure: ComparedFigure): FigureCells {
  const { metric, aggregation, difference } = figure;
  return {
    figure: `${metric} ${aggregation}`,
    base: shownValue(figure, figure.base),
    new: shownValue(figure, figure.new),
    change: difference === null ? "" : formatChange(figure.change, difference),
    interval: formatInterval(figure),
  };
}

function shownValue({ change, unit, aggregation }: ComparedFigure, value: number | null): string {
  if (value === null) return "";
  if (change === "points") return formatPercent(value);
  if (unit !== "ms" && (aggregation === "rate" || aggregation === "count")) return formatRate(value);
  return formatInUnit(value, unit);
}

/** The two sides, and the changes that are accepted. */
export function describeSides({ base, new: other, sides }: ComparisonResult): string {
  const name = sides === "turns" ? targetOf : runsOf;
  return `${name(other)} against ${name(base)}`;
}

function targetOf({ target }: ComparedSide): string {
  return target ?? "the test's target";
}

function runsOf({ runs }: ComparedSide): string {
  const [first, ...others] = runs;
  const file = first?.file ?? "this run";
  return others.length === 0 ? file : `${file} and ${others.length} more`;
}

/** The accepted changes for the worse. */
export function describeTolerance({ tolerance, rateTolerance, figures }: ComparisonResult): string {
  const kinds = new Set(figures.map(({ change }) => change));
  const times = kinds.has("relative") ? [`${formatTolerance("relative", tolerance)} for the worse`] : [];
  const rates = kinds.has("points") ? [`${formatTolerance("points", rateTolerance)} of a rate`] : [];
  return `tolerated: ${[...times, ...rates].join(", ")}`;
}
