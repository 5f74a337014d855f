import { amountOf } from "@bearhug/metrics/results/load";
import type { TestResult } from "@bearhug/sdk";
import type { SweepTarget } from "@bearhug/sdk/result";
import { formatPlanned } from "@bearhug/text/duration";

import { whyLadderEnds } from "./judge-ladder.ts";
import type { Ladder, SweepPlan, SweepState } from "./ladders.ts";

/** Returns the state of a new sweep. */
export function createSweep({ targets }: SweepPlan): SweepState {
  return { ladders: targets.map(() => ({ steps: [], ending: null })), described: null };
}

/**
 * Returns the state of a sweep that continues an earlier one, or a sentence for each reason why it cannot.
 */
export function resumeSweep(plan: SweepPlan, earlier: TestResult): SweepState | readonly string[] {
  const { sweep } = earlier;
  if (sweep === undefined) return ["it is the result of a run, not of a sweep."];
  const problems = [
    ...(sweep.loadUnit === plan.loadUnit
      ? []
      : [`its loads are ${unitWords[sweep.loadUnit]}, and those of this sweep ${unitWords[plan.loadUnit]}.`]),
    ...differentTimes("--settle", sweep.settleMs, plan.settleMs),
    ...differentTimes("--measure", sweep.measureMs, plan.measureMs),
    ...differentTargets(sweep.targets, plan.targets),
  ];
  // Conditions are compared only if the targets are the same: others have other requests.
  if (problems.length === 0) problems.push(...differentConditions(sweep.conditions, plan.conditions));
  if (problems.length > 0) return problems;
  return { ladders: sweep.targets.map(ladderOf), described: describedOf(earlier) };
}

const unitWords = { vus: "VUs", connections: "connections", rate: "rates" } as const;

function differentTimes(flag: string, beforeMs: number, nowMs: number): string[] {
  if (beforeMs === nowMs) return [];
  const written = formatPlanned(beforeMs).replaceAll(" ", "");
  return [`it was measured with ${flag} ${written}. Use the same to resume it.`];
}

function differentConditions(before: SweepPlan["conditions"], now: SweepPlan["conditions"]): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  const different = names.filter((name) => before[name] !== now[name]);
  if (different.length === 0) return [];
  const listed = new Intl.ListFormat("en").format(different);
  return [
    `it was measured with ${different.length === 1 ? "a different" : "different"} ${listed}. Use the same to resume it.`,
  ];
}

type Named = Pick<SweepTarget, "name" | "address">;

function differentTargets(before: readonly Named[], now: readonly Named[]): string[] {
  const describe = (targets: readonly Named[]): string =>
    targets
      .map(({ name, address }) => (address === null || address === name ? name : `${name}=${address}`))
      .join(", ");
  if (describe(before) === describe(now)) return [];
  return [`it measured ${describe(before)}, and this sweep ${describe(now)}.`];
}

/**
 * Returns the ladder to continue. Steps in which the generator was saturated are measured again: it may have
 * more capacity now.
 */
function ladderOf({ steps }: SweepTarget): Ladder {
  const kept = steps.filter(({ generator }) => generator.verdict !== "saturated");
  return { steps: kept, ending: whyLadderEnds(kept) };
}

/** Returns the run that the document describes, with that run's own verdict. */
function describedOf(earlier: TestResult): SweepState["described"] {
  const { sweep, ...result } = earlier;
  const described = sweep?.described ?? null;
  if (sweep === undefined || described === null) return null;
  const target = sweep.targets.find(({ name }) => name === described.target);
  const step = target?.steps.find((one) => amountOf(one.load) === described.load);
  return step === undefined ? null : { ...described, result, goodRate: step.goodRate };
}

/** Returns all loads of a sweep: the requested ones, and those that were measured before. */
export function mergeLoads(loads: readonly number[], { ladders }: SweepState): readonly number[] {
  const measured = ladders.flatMap(({ steps }) => steps.map(({ load }) => amountOf(load)));
  return [...new Set([...loads, ...measured])].sort((left, right) => left - right);
}
