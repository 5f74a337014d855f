import type { TestResult } from "@bearhug/sdk";
import { formatDuration } from "../../format/duration.ts";
import type { Style } from "./style.ts";

/** What was run: the test, its target, when, for how long, and with what load. */
export function renderTest(result: TestResult, style: Style): string[] {
  const { test, plan, shard, startedAt, durationMs, seed } = result;
  return [
    ...renderFact("test", [test.name, ...(test.file === null ? [] : [test.file])].map(style.text), style),
    ...(test.target === null ? [] : renderFact("target", [style.text(test.target)], style)),
    ...renderFact(
      "ran",
      [formatDuration(durationMs), `from ${formatStart(startedAt)}`, `seed ${seed}`],
      style,
    ),
    ...(shard === null ? [] : renderFact("shard", [`${shard.index + 1} of ${shard.count}`], style)),
    ...plan.scenarios.flatMap(({ name, executor, description }, index) =>
      renderFact(
        index === 0 ? "load" : "",
        [`${style.text(name)}: ${executor}`, style.text(description)],
        style,
      ),
    ),
  ];
}

const labelWidth = 8;

function renderFact(label: string, pieces: readonly string[], style: Style): string[] {
  return style
    .pieces(pieces, { lead: label.padEnd(labelWidth) })
    .map((line) => line.replace(label, () => style.faint(label)));
}

/** "2026-11-20 20:00:00 UTC" of an ISO time. */
function formatStart(startedAt: string): string {
  return `${startedAt.slice(0, 10)} ${startedAt.slice(11, 19)} UTC`;
}
