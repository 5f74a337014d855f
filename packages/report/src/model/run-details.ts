import { sumBy } from "@bearhug/metrics/sum";
import type { TestResult } from "@bearhug/sdk";
import { formatDuration, formatPlanned } from "@bearhug/text/duration";
import { formatCounted } from "@bearhug/text/number";

import { titleOf } from "../described-step.ts";
import { describeTransfer } from "../transfer.ts";

/**
 * A piece of a detail: text that bearhug wrote, an external name with text after it, or a sentence that may
 * quote external text.
 */
export type Piece =
  | string
  | { readonly name: string; readonly after?: string }
  | { readonly sentence: string };

export interface RunDetail {
  readonly label: "test" | "target" | "ran" | "shard" | "load" | "transfer";
  readonly pieces: readonly Piece[];
}

/** Describes the test of a run, its target, start, duration and load. */
export function describeRun(result: TestResult): RunDetail[] {
  const { test, plan, shard, startedAt, durationMs, seed } = result;
  const details: RunDetail[] = [
    {
      label: "test",
      pieces: [{ name: titleOf(result) }, ...(test.file === null ? [] : [{ name: test.file }])],
    },
    { label: "target", pieces: test.target === null ? [] : [{ name: test.target }] },
    {
      label: "ran",
      pieces: [
        formatDuration(durationMs),
        ...describeWarmup(result),
        `from ${formatStart(startedAt)}`,
        `seed ${seed}`,
      ],
    },
    { label: "shard", pieces: shard === null ? [] : [`${shard.index + 1} of ${shard.count}`] },
    ...plan.scenarios.map(({ name, executor, description, transport }): RunDetail => ({
      label: "load",
      pieces: [
        { name, after: `: ${executor}` },
        { sentence: description },
        ...(transport === "bearhug" ? [] : [`transport: ${transport}`]),
      ],
    })),
    { label: "transfer", pieces: describeTransfer(result) },
  ];
  return details.filter(({ pieces }) => pieces.length > 0);
}

/** Returns a piece as plain text. */
export function plainPiece(piece: Piece): string {
  if (typeof piece === "string") return piece;
  return "name" in piece ? `${piece.name}${piece.after ?? ""}` : piece.sentence;
}

/** Describes the part of the run that is not measured. */
function describeWarmup({ plan, accounting }: TestResult): string[] {
  if (plan.warmupMs === 0) return [];
  const sentence = `after an unmeasured warm-up of ${formatPlanned(plan.warmupMs)}`;
  if (accounting.warmup === null) return [sentence];
  const requests = sumBy(accounting.warmup.requests, ({ started }) => started);
  const iterations = accounting.warmup.iterations.started;
  return [sentence, `in it ${formatCounted(iterations, "iteration")}, ${formatCounted(requests, "request")}`];
}

/** Formats an ISO time as "2026-11-20 20:00:00 UTC". */
export function formatStart(startedAt: string): string {
  return `${startedAt.slice(0, 10)} ${startedAt.slice(11, 19)} UTC`;
}
