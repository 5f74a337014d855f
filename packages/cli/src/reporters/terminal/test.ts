import type { TestResult } from "@bearhug/sdk";
import { formatDuration } from "../../format/duration.ts";
import type { Style } from "./style.ts";

/** What was run: the test, its target, when, for how long, and with what load. */
export function renderTest(
  { test, plan, shard, startedAt, durationMs, seed }: TestResult,
  style: Style,
): string[] {
  const dot = ` ${style.symbols.dot} `;
  const place = test.file === null ? [] : [test.file];
  const facts: [string, string][] = [
    ["test", [test.name, ...place].map(style.text).join(dot)],
    ...(test.target === null ? [] : [["target", style.text(test.target)] satisfies [string, string]]),
    ["ran", [formatDuration(durationMs), `from ${formatStart(startedAt)}`, `seed ${seed}`].join(dot)],
    ...(shard === null ? [] : [["shard", `${shard.index + 1} of ${shard.count}`] satisfies [string, string]]),
    ...plan.scenarios.map(({ name, executor, description }, index): [string, string] => [
      index === 0 ? "load" : "",
      `${style.text(name)}: ${executor}, ${style.text(description)}`,
    ]),
  ];
  return facts.flatMap(([label, value]) => renderFact(label, value, style));
}

const labelWidth = 8;

function renderFact(label: string, value: string, style: Style): string[] {
  return style
    .paragraph(value, { lead: label.padEnd(labelWidth) })
    .map((line) => line.replace(label, () => style.faint(label)));
}

/** "2026-11-20 20:00:00 UTC" of an ISO time. */
function formatStart(startedAt: string): string {
  return `${startedAt.slice(0, 10)} ${startedAt.slice(11, 19)} UTC`;
}
