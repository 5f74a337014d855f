import { activeMs, isTimed } from "@bearhug/plan/executors/load-models";

import type { RecordedPlan, RecordedScenario } from "../run-record.ts";
import type { TargetCounts, TargetStore } from "../target-store.ts";

/** The counts of one scenario's requests to one host. */
export interface TargetOutcome extends TargetCounts {
  readonly scenario: string;
  /** Null for the operations of clients other than HTTP. */
  readonly origin: string | null;
  /** Failures since the last success; null if there was one in the last part of the scenario's planned time. */
  readonly failedAtEnd: number | null;
}

const lastShare = 0.1;
const minLastMs = 1000;

/** Reads the outcome of each host in each scenario that does not expect failures. */
export function targetOutcomes(
  store: TargetStore,
  { scenarios, warmupMs }: Pick<RecordedPlan, "scenarios" | "warmupMs">,
  startsUntilMs: number,
): TargetOutcome[] {
  const planned = new Map(scenarios.map((one) => [one.scenario.name, one]));
  return store.all().flatMap((target) => {
    const plannedScenario = planned.get(target.scenario);
    if (plannedScenario === undefined || plannedScenario.scenario.expectsFailures === true) return [];
    const { scenario, origin, counts } = target;
    const failedAtEnd = target.failedInARow(startOfEnd(plannedScenario, startsUntilMs, warmupMs));
    return [{ scenario, origin, ...counts, failedAtEnd }];
  });
}

/**
 * Returns the time at which the last part of a scenario begins, counted from the start of the measured load.
 */
function startOfEnd({ pacing }: RecordedScenario, startsUntilMs: number, warmupMs: number): number {
  if (pacing === undefined) return startsUntilMs - lastPart(startsUntilMs);
  const startMs = pacing.startTimeMs - warmupMs;
  const plannedEndMs = startMs + activeMs(pacing);
  const endMs = isTimed(pacing) ? Math.min(plannedEndMs, startsUntilMs) : startsUntilMs;
  return Math.max(0, endMs - lastPart(endMs - Math.max(0, startMs)));
}

/**
 * Returns a tenth of the duration; at least a second, so that a target may also restart at the end, but at
 * most half.
 */
function lastPart(durationMs: number): number {
  return Math.min(Math.max(minLastMs, durationMs * lastShare), durationMs / 2);
}
