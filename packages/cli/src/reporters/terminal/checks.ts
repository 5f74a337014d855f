import type { CheckResult, TestResult } from "@bearhug/sdk";
import { formatCount } from "../../format/number.ts";
import { formatPercent } from "../../format/percent.ts";
import type { Row } from "../../format/table.ts";
import { renderMore } from "./more.ts";
import type { Style } from "./style.ts";

const mostShown = 20;

/** Each check with its pass rate; those that failed stand first where not all fit. */
export function renderChecks({ checks }: TestResult, style: Style): string[] {
  if (checks.length === 0) return [];
  const sum = (count: (check: CheckResult) => number): number =>
    checks.reduce((total, check) => total + count(check), 0);
  const [passes, fails] = [sum((check) => check.passes), sum((check) => check.fails)];
  const shown = checks.length > mostShown ? checks.toSorted((a, b) => b.fails - a.fails) : checks;
  const hasScenarios = new Set(checks.map(({ scenario }) => scenario)).size > 1;
  const rows = shown.slice(0, mostShown).map((check) => renderCheck(check, hasScenarios, style));
  const columns = [
    { title: "" },
    { title: "", shrinks: true },
    { title: "", shrinks: true, keep: 1 },
    { title: "", align: "right" },
    { title: "" },
  ] as const;
  return [
    style.heading("Checks", `${formatShare(passes, fails)} of ${formatCount(passes + fails)} passed`),
    ...style.table(columns, rows),
    ...renderMore(checks.length - mostShown, style),
  ];
}

function renderCheck(
  { name, scenario, page, passes, fails }: CheckResult,
  hasScenarios: boolean,
  style: Style,
): Row {
  const symbol =
    fails > 0
      ? { text: style.symbols.failed, paint: style.bad }
      : { text: style.symbols.passed, paint: style.good };
  const place = [...(hasScenarios ? [scenario] : []), ...(page === null ? [] : [page])]
    .map(style.text)
    .join(" / ");
  return [
    symbol,
    style.text(name),
    { text: place, paint: style.faint },
    formatShare(passes, fails),
    fails > 0
      ? { text: `${formatCount(fails)} of ${formatCount(passes + fails)} failed`, paint: style.bad }
      : "",
  ];
}

function formatShare(passes: number, fails: number): string {
  return passes + fails === 0 ? "never" : formatPercent(passes / (passes + fails));
}
