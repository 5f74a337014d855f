import { sumFigures } from "@bearhug/metrics/sum";
import type { CheckResult, TestResult } from "@bearhug/sdk";
import { formatCount } from "@bearhug/text/number";
import { formatPercent } from "@bearhug/text/percent";

import { detailsOf, name, number, outcomeCell, sign, type Table } from "./table.ts";

/** Returns the table of checks with their pass rates. */
export function checkTable({ checks }: Pick<TestResult, "checks">): Table {
  const { passes, fails } = sumFigures(checks, "passes", "fails");
  return {
    id: "checks",
    title: "Checks",
    note: `${describeShare(passes, fails)} of ${formatCount(passes + fails)} passed`,
    columns: [
      sign("outcome"),
      { ...name("check"), preferredMinWidth: 16 },
      { ...name("in"), keep: 1, preferredMinWidth: 12, isFaint: true },
      number("passed"),
      number("failed"),
    ],
    rows: checks.map((check) => ({
      cells: [
        outcomeCell(check.fails === 0),
        { text: check.name },
        { text: [check.scenario, ...stepsOf(check)].join(" / ") },
        {
          text: describeShare(check.passes, check.fails),
          value: check.passes / (check.passes + check.fails),
        },
        {
          text: `${formatCount(check.fails)} of ${formatCount(check.passes + check.fails)}`,
          value: check.fails,
          tone: check.fails > 0 ? "bad" : "plain",
        },
      ],
      ...(check.exception !== null && { details: detailsOf(check.exception) }),
    })),
  };
}

/** Returns the page and the group in which a check was evaluated. */
export function stepsOf({ page, group }: Pick<CheckResult, "page" | "group">): string[] {
  return [page, group].filter((step) => step !== null);
}

function describeShare(passes: number, fails: number): string {
  return passes + fails === 0 ? "never run" : formatPercent(passes / (passes + fails));
}
