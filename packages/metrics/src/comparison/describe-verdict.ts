import type { ComparedFigure, ComparisonAnswer } from "@bearhug/sdk/result";

import { formatInterval, formatSize, formatTolerance, unitOf } from "./change.ts";
import type { SidedChange } from "./compare-sides.ts";

/** Returns the verdict in sentences: one for each figure that regressed, or that is undecided. */
export function describeVerdict(
  verdict: ComparisonAnswer,
  figures: readonly ComparedFigure[],
  { tolerance, rateTolerance }: { readonly tolerance: number; readonly rateTolerance: number },
): string[] {
  const limit = ({ change }: ComparedFigure): string =>
    formatTolerance(change, change === "points" ? rateTolerance : tolerance);
  const figuresOf = (answer: ComparisonAnswer): ComparedFigure[] =>
    figures.filter((one) => one.answer === answer);
  if (verdict === "ok") return ["No figure got worse by more than the tolerance."];
  const range = (one: ComparedFigure): string => `interval ${formatInterval(one)} ${unitOf(one.change)}`;
  if (verdict === "regressed")
    return figuresOf("regressed").map((one) => {
      const difference = one.difference ?? 0;
      const verb = difference > 0 ? "rose" : "fell";
      return `${nameOf(one)} ${verb} by ${formatSize(one.change, difference)} (${range(one)}). The tolerance is ${limit(one)}.`;
    });
  return figuresOf("undecided").map((one) => {
    if (one.reason !== undefined) return `${nameOf(one)} is undecided. ${one.reason}`;
    return `${nameOf(one)} is undecided: the change may be on either side of ${limit(one)} (${range(one)}).`;
  });
}

/** Chance seldom makes this many independent blocks look like a single one. */
const manyForOne = 4;

/** Explains why a long measurement decides little, if undecided figures have few independent blocks. */
export function describeDependence(
  figures: readonly ComparedFigure[],
  compared: readonly { readonly change: SidedChange | null }[],
): string[] {
  const dependent = compared.flatMap(({ change }, at) =>
    figures[at]?.answer === "undecided" && change !== null ? [change.blocks] : [],
  );
  const [least] = dependent.toSorted((one, other) => one.independent - other.independent);
  if (least === undefined || least.measured < manyForOne * least.independent) return [];
  const worth = Math.max(1, Math.round(least.independent));
  return [
    `Times stay high or low for many seconds, as in a queue near its limit: the ${least.measured} blocks of time say as much as ${worth} independent ${worth === 1 ? "one" : "ones"}. Run longer, or several times.`,
  ];
}

function nameOf({ metric, aggregation }: ComparedFigure): string {
  return `${metric} ${aggregation}`;
}
