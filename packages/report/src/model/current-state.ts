import { formatThresholdValue } from "@bearhug/metrics/thresholds/threshold-value";
import type { IntervalSnapshot } from "@bearhug/sdk";
import { formatPlanned } from "@bearhug/text/duration";

import { badCountCell, type Cell, name, number, outcomeCell, sign, type Table, text } from "./table.ts";

/** Returns the table of thresholds in their current state, during a run. */
export function thresholdsSoFar({ thresholds: standings }: IntervalSnapshot): Table {
  return {
    id: "thresholds",
    title: "Thresholds",
    note: "so far",
    columns: [sign("outcome"), name("metric"), name("must be"), text("was")],
    rows: standings.map((one) => {
      const { passed, metric, expression, actual } = one;
      const measured = actual === null ? "no samples yet" : formatThresholdValue(one, actual, {});
      return {
        cells: [
          passed === null ? { text: "undecided" } : outcomeCell(passed),
          ...[metric, expression, measured].map((shown): Cell => ({
            text: shown,
            tone: passed === false ? "bad" : "plain",
          })),
        ],
      };
    }),
  };
}

/** Returns the table of errors so far: each code with the request that it affected most often. */
export function errorsSoFar({ errors: counts }: IntervalSnapshot): Table {
  return {
    id: "errors",
    title: "Errors",
    note: "so far",
    columns: [number("count"), name("what"), { ...name("where"), isFaint: true }],
    rows: counts.map(({ code, name: request, count }) => ({
      cells: [badCountCell(count), { text: code, tone: "bad" }, { text: request }],
    })),
  };
}

/** Describes how long a run has lasted, and its planned end. */
export function describeTime(atMs: number, plannedMs: number | null): string {
  const at = wholeSeconds(atMs);
  if (plannedMs === null) return at;
  return atMs > plannedMs ? `${at}, ending` : `${at} of ${formatPlanned(plannedMs)}`;
}

/** Rounds up: the time left is 0 only at the end. */
export function secondsLeft(ms: number): string {
  return formatPlanned(Math.ceil(ms / 1000) * 1000);
}

/** Rounds down, because ticks come a little late: 3.004 s is the third second. */
export function wholeSeconds(ms: number): string {
  return formatPlanned(Math.floor(ms / 1000) * 1000 || Math.round(ms));
}
