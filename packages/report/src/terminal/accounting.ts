import { sumFigures } from "@bearhug/metrics/sum";
import type { TestResult } from "@bearhug/sdk";
import { formatCount } from "@bearhug/text/number";

import { renderDropped } from "./dropped.ts";
import type { Style } from "./style.ts";

/** Renders iterations and requests that were not completed; empty if all were. */
export function renderAccounting(result: TestResult, style: Style): string[] {
  const { iterations, requests } = result.accounting;
  const total = sumFigures(requests, "started", "succeeded", "failed", "interrupted", "lost");
  const lines = [
    ...explain("iterations", style, iterations.scheduled, "due", [
      [iterations.completed, "completed"],
      [iterations.failed, "failed"],
      [iterations.dropped, "dropped"],
      [iterations.interrupted, "interrupted"],
      [iterations.lost, "lost"],
    ]),
    ...explain("requests", style, total.started, "started", [
      [total.succeeded, "succeeded"],
      [total.failed, "failed"],
      [total.interrupted, "interrupted"],
      [total.lost, "lost"],
    ]),
  ];
  return lines.length === 0 ? [] : [style.heading("Accounting"), ...lines, ...renderDropped(result, style)];
}

const unfinished = new Set(["dropped", "interrupted", "lost"]);

function explain(
  subject: string,
  style: Style,
  whole: number,
  verb: string,
  parts: readonly (readonly [count: number, fate: string])[],
): string[] {
  if (!parts.some(([count, fate]) => count > 0 && unfinished.has(fate))) return [];
  const listed = parts.filter(([count]) => count > 0).map(([count, fate]) => `${formatCount(count)} ${fate}`);
  const [first = "", ...rest] = listed;
  return style.pieces([`${formatCount(whole)} ${verb} = ${first}`, ...rest], {
    lead: subject.padEnd(12),
    separator: "+",
  });
}
