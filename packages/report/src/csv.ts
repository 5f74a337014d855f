import { trendFigures } from "@bearhug/metrics/thresholds/threshold-language";
import type { MetricResult, TestResult } from "@bearhug/sdk";
import { printable } from "@bearhug/text/printable";
import { stringify } from "csv-stringify/sync";

/** The subject of a row: the whole run, or one of its parts. */
type Scope = "run" | "scenario" | "page" | "group" | "request";

const columns = [
  "scope",
  "name",
  "metric",
  "type",
  "unit",
  "count",
  "rate",
  "passes",
  "fails",
  "value",
  ...trendFigures,
  "p(90)",
  "p(95)",
  "p(99)",
  "p(99.9)",
];

/**
 * Renders the metrics of a run and of each of its parts as a table: a row for each metric, with all digits. A
 * name that a spreadsheet would take for a formula gets a leading apostrophe, and control characters in names
 * are written as escapes.
 */
export function renderCsv(result: TestResult): string {
  const parts: readonly [Scope, TestResult["names"]][] = [
    ["run", [{ name: result.test.name, metrics: result.metrics }]],
    ["scenario", result.scenarios],
    ["page", result.pages],
    ["group", result.groups],
    ["request", result.names],
  ];
  const rows = parts.flatMap(([scope, merged]) =>
    merged.flatMap(({ name, metrics }) =>
      Object.entries(metrics).map(([metric, measured]) => rowOf(scope, name, metric, measured)),
    ),
  );
  return stringify([columns, ...rows], { escape_formulas: true });
}

/** In the column `rate`, a rate metric has its share, and a counter its value per second. */
function rowOf(
  scope: Scope,
  name: string,
  metric: string,
  { type, unit, values }: MetricResult,
): (string | number | undefined)[] {
  const measured: Readonly<Record<string, number>> = { ...values };
  // Numbers are not converted to strings: csv-stringify would escape negative strings as formulas.
  return [
    scope,
    printable(name),
    printable(metric),
    type,
    unit ?? "",
    ...columns.slice(5).map((column) => measured[column]),
  ];
}
