import { Trend } from "@bearhug/metrics/trend";
import type { IntervalResult } from "@bearhug/sdk";
import { expect, test } from "vitest";

import { timelineSection } from "../../src/markdown/timeline.ts";
import { resultOf } from "../result-of.ts";

const quiet = { vus: 2, http_reqs_failed: 0, iterations: 0, dropped: 0, bytes: 0, responseTime: null };

/** Returns the interval of a second in which requests took these times in ms. */
function second(
  index: number,
  durations: readonly number[],
  more: Partial<IntervalResult> = {},
): IntervalResult {
  const trend = new Trend(2);
  for (const ms of durations) trend.add(ms);
  const duration = durations.length === 0 ? null : trend.encode();
  const times = { atMs: (index + 1) * 1000, widthMs: 1000 };
  return { ...quiet, ...times, http_reqs: durations.length, duration, ...more };
}

function rowsOf(intervals: readonly IntervalResult[]): string[] {
  return timelineSection(resultOf({ intervals })).join("").trim().split("\n").slice(2);
}

test("each figure is a line of blocks beside its maximum", () => {
  const intervals = [
    second(0, [100, 100]),
    second(1, []),
    second(2, [200], { http_reqs_failed: 1 }),
    second(3, [400, 400, 400, 400], { vus: 4 }),
  ];
  expect(rowsOf(intervals)).toEqual([
    "|  | over 4.00 s | at most |",
    "| --- | --- | --- |",
    "| requests | `▄·▂█` | 4.00/s |",
    "| failed requests | `··█·` | 1.00/s |",
    "| p95 of their duration | `▂·▄█` | 401 ms |",
    "| virtual users | `▄▄▄█` | 4 |",
  ]);
});

test("a figure that is always 0 has no line, and a p95 that is a lower bound is marked", () => {
  const intervals = [0, 1, 2].map((index) =>
    second(index, [80], { durationCensored: { samples: 1, from: 80 } }),
  );
  const rows = rowsOf(intervals);
  expect(rows.join("\n")).not.toContain("failed");
  expect(rows).toContain("| p95 of their duration | `███` | ≥80.4 ms |");
});

test("a long run has at most 40 blocks, of several intervals each", () => {
  const intervals = Array.from({ length: 100 }, (_, index) =>
    second(index, index === 99 ? [7, 7, 7, 7] : [5, 5]),
  );
  const row = rowsOf(intervals).find((line) => line.startsWith("| requests"));
  expect(row).toBe(`| requests | \`${"▄".repeat(33)}█\` | 4.00/s |`);
});

test("a short rest after the last whole interval has no block", () => {
  const rest = second(3, [900], { atMs: 3010, widthMs: 10, vus: 0 });
  const row = rowsOf([0, 1, 2].map((index) => second(index, [5, 5])).concat(rest)).at(-1);
  expect(row).toBe("| virtual users | `███` | 2 |");
});

test("a run of two seconds has no timeline", () => {
  expect(timelineSection(resultOf({ intervals: [second(0, [1]), second(1, [1])] }))).toEqual([]);
});
