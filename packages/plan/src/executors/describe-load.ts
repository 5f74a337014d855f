import { sumBy } from "@bearhug/metrics/sum";
import { formatPlanned } from "@bearhug/text/duration";
import type { ValidatedStage } from "../pacing/load-over-time.ts";

/** The default `gracefulStop` and `gracefulRampDown`. */
export const defaultGracefulMs = 30_000;

export function describeGrace(option: string, ms: number): string[] {
  if (ms === defaultGracefulMs) return [];
  return [ms === 0 ? `no ${option}` : `${option} ${formatPlanned(ms)}`];
}

/** Longer lists of stages are summarized. */
const maxListedStages = 4;

export function describeStages(stages: readonly ValidatedStage[]): string {
  if (stages.length <= maxListedStages) {
    return stages.map(({ durationMs, target }) => `to ${target} ${describeTime(durationMs)}`).join(", ");
  }
  const targets = stages.map(({ target }) => target);
  const totalMs = sumBy(stages, ({ durationMs }) => durationMs);
  return `up to ${Math.max(...targets)} in ${stages.length} stages, ${formatPlanned(totalMs)} in all`;
}

function describeTime(ms: number): string {
  return ms === 0 ? "at once" : `in ${formatPlanned(ms)}`;
}

export function describeIterations(count: number): string {
  return count === 1 ? "1 iteration" : `${count} iterations`;
}

export function describeVus(count: number): string {
  return count === 1 ? "1 VU" : `${count} VUs`;
}
