import type { CheckResult, TestResult } from "@bearhug/sdk";
import type { CheckException } from "@bearhug/sdk/internal";
import { formatCount } from "../../format/number.ts";
import { formatPercent } from "../../format/percent.ts";
import type { Row } from "../../format/table.ts";
import { renderExample } from "./example.ts";
import { renderMore } from "./more.ts";
import type { Style } from "./style.ts";

const mostShown = 20;

/** Each check with its pass rate, failed ones first if there is no room for all. */
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
    { title: "", shrinks: true, comfortable: 16 },
    { title: "", shrinks: true, comfortable: 12, keep: 1 },
    { title: "", align: "right" },
    { title: "" },
  ] as const;
  const lines = style.table(columns, rows);
  return [
    style.heading("Checks", `${formatShare(passes, fails)} of ${formatCount(passes + fails)} passed`),
    ...lines.flatMap((line, index) => [line, ...renderException(shown[index]?.exception ?? null, style)]),
    ...renderMore(checks.length - mostShown, style),
  ];
}

function renderCheck(
  { name, scenario, page, passes, fails, exception }: CheckResult,
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
    fails > 0 ? { text: describeFails(passes, fails, exception), paint: style.bad } : "",
  ];
}

function describeFails(passes: number, fails: number, exception: CheckException | null): string {
  const threw = exception?.count ?? 0;
  const of = `of ${formatCount(passes + fails)}`;
  if (threw === fails) return `${formatCount(fails)} ${of} threw`;
  return `${formatCount(fails)} ${of} failed${threw === 0 ? "" : `, ${formatCount(threw)} threw`}`;
}

function renderException(exception: CheckException | null, style: Style): string[] {
  return exception === null ? [] : renderExample(exception, style);
}

function formatShare(passes: number, fails: number): string {
  return passes + fails === 0 ? "never" : formatPercent(passes / (passes + fails));
}
