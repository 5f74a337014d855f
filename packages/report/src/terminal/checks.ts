import type { CheckResult, TestResult } from "@bearhug/sdk";
import { formatCount } from "@bearhug/text/number";

import { checkTable, stepsOf } from "../model/checks.ts";
import { type Cell, empty, type Row, text } from "../model/table.ts";
import { renderExample } from "./example.ts";
import type { Style } from "./style.ts";
import { tableSection } from "./table-section.ts";

const mostShown = 20;

/** Renders each check with its pass rate, failed ones first if there is no room for all. */
export function renderChecks({ checks }: TestResult, style: Style): string[] {
  const shown = checks.length > mostShown ? checks.toSorted((a, b) => b.fails - a.fails) : checks;
  const { columns, rows, ...table } = checkTable({ checks: shown });
  const hasScenarios = new Set(checks.map(({ scenario }) => scenario)).size > 1;
  const worded = {
    ...table,
    columns: [...columns.slice(0, -1), text("failed")],
    rows: rows.map((row, at) => ({ ...row, cells: reword(row, shown[at], hasScenarios) })),
  };
  return tableSection(worded, style, {
    most: mostShown,
    isTitled: false,
    below: ({ details }) => renderExample(details, style),
  });
}

/**
 * Adapts the cells of a row to a table without titles: they state what is counted, and name scenarios only if
 * there are several.
 */
function reword(
  { cells: [outcome = empty, name = empty, place = empty, share = empty] }: Row,
  check: CheckResult | undefined,
  hasScenarios: boolean,
): Cell[] {
  if (check === undefined) return [];
  return [
    outcome,
    name,
    hasScenarios ? place : { text: stepsOf(check).join(" / ") },
    share,
    describeFails(check),
  ];
}

function describeFails({ passes, fails, exception }: CheckResult): Cell {
  if (fails === 0) return { text: "" };
  const threw = exception?.count ?? 0;
  const counted = `${formatCount(fails)} of ${formatCount(passes + fails)}`;
  const more = threw === 0 ? "" : `, ${formatCount(threw)} threw`;
  return { text: threw === fails ? `${counted} threw` : `${counted} failed${more}`, tone: "bad" };
}
