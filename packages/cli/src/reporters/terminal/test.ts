import { basename } from "node:path";

import type { TestResult } from "@bearhug/sdk";
import { formatDuration, formatPlanned } from "../../format/duration.ts";
import { formatCount } from "../../format/number.ts";
import type { Style } from "./style.ts";
import { describeTransfer } from "../transfer.ts";

/** Describes the run: the test, its target, its start, its duration and its load. */
export function renderTest(result: TestResult, style: Style): string[] {
  const { test, plan, shard, startedAt, durationMs, seed } = result;
  return [
    ...renderFact("test", namesOf(test).map(style.text), style),
    ...(test.target === null ? [] : renderFact("target", [style.text(test.target)], style)),
    ...renderFact(
      "ran",
      [
        formatDuration(durationMs),
        ...describeWarmup(result),
        `from ${formatStart(startedAt)}`,
        `seed ${seed}`,
      ],
      style,
    ),
    ...(shard === null ? [] : renderFact("shard", [`${shard.index + 1} of ${shard.count}`], style)),
    ...plan.scenarios.flatMap(({ name, executor, description, transport }, index) =>
      renderFact(
        index === 0 ? "load" : "",
        [
          `${style.text(name)}: ${executor}`,
          style.text(description),
          ...(transport === "bearhug" ? [] : [`transport: ${transport}`]),
        ],
        style,
        2,
      ),
    ),
    ...renderFact("transfer", describeTransfer(result), style),
  ];
}

/** The test's name and file; the file alone where the test is named after it. */
function namesOf({ name, file }: TestResult["test"]): string[] {
  if (file === null) return [name];
  return basename(file) === name ? [file] : [name, file];
}

/** Describes the part of the run that is not measured. */
function describeWarmup({ plan, accounting }: TestResult): string[] {
  if (plan.warmupMs === 0) return [];
  const sentence = `after an unmeasured warm-up of ${formatPlanned(plan.warmupMs)}`;
  if (accounting.warmup === null) return [sentence];
  const requests = accounting.warmup.requests.reduce((sum, { started }) => sum + started, 0);
  const iterations = accounting.warmup.iterations.started;
  return [
    sentence,
    `in it ${formatCount(iterations)} ${iterations === 1 ? "iteration" : "iterations"}, ${formatCount(requests)} ${requests === 1 ? "request" : "requests"}`,
  ];
}

const labelWidth = 10;

function renderFact(label: string, pieces: readonly string[], style: Style, hang = 0): string[] {
  if (pieces.length === 0) return [];
  return style
    .pieces(pieces, { lead: label.padEnd(labelWidth), hang })
    .map((line) => line.replace(label, () => style.faint(label)));
}

/** "2026-11-20 20:00:00 UTC" of an ISO time. */
function formatStart(startedAt: string): string {
  return `${startedAt.slice(0, 10)} ${startedAt.slice(11, 19)} UTC`;
}
