import { findBounds, type Bounds } from "./bounds.ts";
import { recordLoads, type LoadRecord, type SearchTrial } from "./load-records.ts";
import type { Limit } from "./locate-limit.ts";
import { isTargetDown, loadToAskAgain } from "./target-down.ts";
import { planConfirmation } from "./plan-confirmation.ts";
import { planProof } from "./plan-proof.ts";
import type { Objective } from "./objective.ts";

/** The goal of a search, and its limits. */
export interface SearchPlan {
  readonly objectives: readonly Objective[];
  readonly leastLoad: number;
  readonly mostLoad: number;
  readonly firstLoad: number;
  /** The load that must be shown to be met; absent or null for none. */
  readonly atLeast?: number | null;
  readonly budgetMs: number;
  /** The search ends when its interval reaches no further than this share of the load to either side. */
  readonly precision: number;
  /** Loads are whole numbers: virtual users. */
  readonly isWhole: boolean;
}

/** The trial to run next. */
export interface TrialStep {
  readonly load: number;
  readonly settleMs: number;
  readonly measureMs: number;
  readonly purpose: SearchTrial["purpose"];
}

/** Starting and ending a trial takes about so long. */
const overheadMs = 1500;
/** While the interval reaches further than these shares of the load, trials are short, or of medium length. */
const [vague, rough] = [0.5, 0.2];
/** The share of the budget that is kept for the confirmation. */
const confirmationShare = 0.25;
/** Trials near the limit are this far from it at most. */
const widestStep = 0.08;

/** Decides the next trial from all that were run; null when the search is over. */
export function nextStep(plan: SearchPlan, trials: readonly SearchTrial[]): TrialStep | null {
  const remainingMs = plan.budgetMs - trials.reduce((sum, { tookMs }) => sum + tookMs, 0);
  const times = timesOf(plan, remainingMs);
  const longestMs = remainingMs - times.settleMs - overheadMs;
  if (longestMs < leastMs) return null;
  const step = chooseStep(plan, trials, times);
  if (step === null) return null;
  // The load that is asked for is tried as it is.
  const load = step.load === plan.atLeast ? step.load : clampLoad(step.load, plan);
  return {
    ...step,
    load,
    settleMs: times.settleMs,
    measureMs: Math.floor(Math.min(step.measureMs, longestMs) / 1000) * 1000,
  };
}

const leastMs = 3000;

interface Times {
  readonly settleMs: number;
  readonly shortMs: number;
  readonly longMs: number;
  readonly confirmationMs: number;
  readonly hasTimeToSearch: boolean;
}

function timesOf({ budgetMs }: SearchPlan, remainingMs: number): Times {
  const shortMs = Math.min(10_000, Math.max(leastMs, Math.round(budgetMs / 60_000) * 1000));
  const settleMs = Math.min(5000, Math.max(1000, shortMs * 0.4));
  const confirmationMs = Math.max(leastMs, budgetMs * confirmationShare);
  const forSearchMs = remainingMs - confirmationMs - settleMs - overheadMs;
  return {
    settleMs,
    shortMs,
    longMs: Math.max(shortMs, Math.min(budgetMs / 8, forSearchMs - settleMs - overheadMs)),
    confirmationMs,
    hasTimeToSearch: forSearchMs >= shortMs + settleMs + overheadMs,
  };
}

type Choice = Pick<TrialStep, "load" | "measureMs" | "purpose">;

function chooseStep(plan: SearchPlan, trials: readonly SearchTrial[], times: Times): Choice | null {
  if (trials.length === 0) return search(plan.firstLoad, times.shortMs);
  if (isTargetDown(trials)) return null;
  const again = loadToAskAgain(trials);
  if (again !== null) return search(again, times.shortMs);
  const records = recordLoads(plan.objectives, trials);
  const bounds = findBounds(records);
  const confirmed = followConfirmation(trials, records, times);
  if (confirmed !== "search on") return confirmed;
  const saturated = trials.filter(({ isGeneratorLimited }) => isGeneratorLimited).map(({ load }) => load);
  const highest = records.at(-1)?.load ?? 0;
  const gaveOut = Math.min(...saturated.filter((load) => load > highest && givesOutAt(load, saturated)));
  const step = approach(plan, trials, { records, bounds, times, gaveOut });
  const choices = [step, settleForLess(bounds, times)];
  return choices.find((choice) => choice === null || !givesOutAt(choice.load, saturated)) ?? null;
}

/** The generator may give out at a load once by chance, but hardly twice. */
export function givesOutAt(load: number, saturated: readonly number[]): boolean {
  return saturated.filter((other) => Math.abs(other / load - 1) < nearLoad).length > 1;
}

/** Loads that differ by less are the same to the generator. */
const nearLoad = 0.03;

/** The generator cannot apply the load that the search needs: what is left is to show that a lower one is met. */
function settleForLess({ met, passed }: Bounds, times: Times): Choice | null {
  if (met === null || passed === met.load) return null;
  return times.hasTimeToSearch
    ? search(met.load, times.longMs)
    : { load: met.load, measureMs: times.confirmationMs, purpose: "confirmation" };
}

interface Situation {
  readonly records: readonly LoadRecord[];
  readonly bounds: Bounds;
  readonly times: Times;
  /** The lowest load above all others at which the generator gave out twice; infinite for none. */
  readonly gaveOut: number;
}

/** The next trial: up until a load looks violated, down until one looks met, then between them. */
function approach(plan: SearchPlan, trials: readonly SearchTrial[], situation: Situation): Choice | null {
  const { records, bounds, times } = situation;
  const { met, violated } = bounds;
  if (violated === null) return climb(plan, trials, situation);
  if (met === null) {
    if (violated.load > plan.leastLoad)
      return search(Math.max(plan.leastLoad, stepDown(violated)), times.shortMs);
    const isOver = violated.verdict === "FAIL" || isSilent(violated, trials);
    return isOver ? null : search(plan.leastLoad, times.longMs);
  }
  const next = times.hasTimeToSearch
    ? (planProof(plan, records, bounds, times) ?? narrow(plan, records, bounds, times))
    : null;
  return next ?? confirmation(plan, records, bounds, times);
}

/** While no load looks violated: twice as much, up to the highest allowed, or to what the generator can apply. */
function climb(
  plan: SearchPlan,
  trials: readonly SearchTrial[],
  { bounds, times, gaveOut }: Situation,
): Choice | null {
  const { met } = bounds;
  if (met === null) {
    const last = trials.at(-1)?.load ?? plan.firstLoad;
    return search(Math.max(plan.leastLoad, last / 2), times.shortMs);
  }
  const top = met.load;
  if (top < plan.mostLoad && gaveOut > top * coarsest)
    return search(Math.min(plan.mostLoad, top * 2, Math.sqrt(top * gaveOut)), times.shortMs);
  return settleForLess(bounds, times);
}

/** A load without one success in two trials is not going to meet objectives in a third one. */
function isSilent({ load, goodLoad }: LoadRecord, trials: readonly SearchTrial[]): boolean {
  return goodLoad === 0 && trials.filter((trial) => trial.load === load).length > 1;
}

function search(load: number, measureMs: number): Choice {
  return { load, measureMs, purpose: "search" };
}

/** After a confirmation: nothing once it is decided, more of it where it is not, and further search where it failed. */
function followConfirmation(
  trials: readonly SearchTrial[],
  records: readonly LoadRecord[],
  times: Times,
): Choice | null | "search on" {
  const last = trials.at(-1);
  if (last?.purpose !== "confirmation") return "search on";
  const verdict = records.find(({ load }) => load === last.load)?.verdict;
  if (verdict === "FAIL") return "search on";
  const looks = trials.filter(({ load, purpose }) => purpose === "confirmation" && load === last.load).length;
  return verdict === "UNDECIDED" && looks < mostLooks
    ? { load: last.load, measureMs: times.confirmationMs, purpose: "confirmation" }
    : null;
}

/** A confirmation is extended while it is undecided, if the budget allows. */
const mostLooks = 3;

/** The requests that succeeded under too much load are about what the target can do. */
function stepDown({ load, goodLoad }: LoadRecord): number {
  return goodLoad > load / 100 && goodLoad < load * 0.9 ? goodLoad * 0.9 : load / 2;
}

/** The next trial between a load that looks met and one that looks violated; null once the limit is known well enough. */
function narrow(
  { precision }: SearchPlan,
  records: readonly LoadRecord[],
  { met, violated, limit }: Bounds,
  times: Times,
): Choice | null {
  if (met === null || violated === null) return null;
  const ratio = violated.load / met.load;
  const hint = violated.goodLoad * 0.97;
  if (ratio > coarsest && hint > met.load * 1.02 && hint < violated.load * 0.9)
    return search(hint, times.shortMs);
  if (limit !== null) {
    const reach = Math.max(limit.high / limit.load - 1, 1 - limit.low / limit.load);
    if (reach <= precision) return null;
    if (reach > vague) return search(limit.load, times.shortMs);
    const measureMs = reach > rough ? Math.sqrt(times.shortMs * times.longMs) : times.longMs;
    return search(beside(limit, records), measureMs);
  }
  if (ratio > coarsest) return search(Math.sqrt(met.load * violated.load), times.shortMs);
  const sides = [met, violated].filter(({ verdict }) => verdict === "UNDECIDED");
  const [side] = sides.sort((left, right) => left.measuredMs - right.measuredMs);
  if (side === undefined) return null;
  if (side.measuredMs < times.longMs * 1.5) return search(side.load, times.longMs);
  // Undecided for so long, it is near the limit, and what a line through it needs is a second load.
  const wanted = side === met ? side.load * (1 - secondStep) : side.load * (1 + secondStep);
  return search(wanted, times.longMs);
}

/** Loads so far apart differ clearly in a queue, and are both near its limit. */
const secondStep = 0.06;

/** Short trials tell loads apart that differ by so much, not by less. */
const coarsest = 1.15;

/**
 * A load on the side of the limit that was measured for less time, so far from it that odds differ by half a unit or so:
 * the line through both sides says where the limit is. A load that was tried near there is tried for longer.
 */
function beside({ load: limit, steepness }: Limit, records: readonly LoadRecord[]): number {
  const distance = Math.min(widestStep, Math.max(0.005, 0.6 / steepness));
  const near = records.filter(({ load }) => Math.abs(load / limit - 1) < 2 * distance);
  const below = sumMs(near.filter(({ load }) => load < limit));
  const above = sumMs(near.filter(({ load }) => load >= limit));
  const wanted = below <= above ? limit * (1 - distance) : limit * (1 + distance);
  const tried = near.find(
    ({ load, verdict }) => verdict === "UNDECIDED" && Math.abs(load - wanted) < (limit * distance) / 2,
  );
  return tried?.load ?? wanted;
}

function sumMs(records: readonly LoadRecord[]): number {
  return records.reduce((sum, { measuredMs }) => sum + measuredMs, 0);
}

/** An estimate needs a load that passed: without one, a load so far below it is confirmed rather than none. */
const farBelow = 0.5;

/** A load that can be confirmed in the time that is kept for it; where there is none, the estimate. */
function confirmation(
  plan: SearchPlan,
  records: readonly LoadRecord[],
  { limit, passed, failed, met }: Bounds,
  times: Times,
): Choice | null {
  const estimate = limit?.load ?? met?.load ?? null;
  if (estimate === null) return null;
  const highest = failed === null ? estimate : Math.min(estimate, failed * (1 - plan.precision / 2));
  const { atLeast = null } = plan;
  if (atLeast !== null && (passed ?? 0) < atLeast && atLeast < highest)
    return { load: atLeast, measureMs: times.confirmationMs, purpose: "confirmation" };
  const objective = plan.objectives[limit?.objective ?? 0];
  const planned =
    limit === null || objective === undefined
      ? null
      : !records.some(({ isClearlyMet }) => isClearlyMet)
        ? (planConfirmation(objective, limit, records, times.confirmationMs, farBelow) ??
          limit.load * (1 - farBelow))
        : planConfirmation(objective, limit, records, times.confirmationMs);
  return {
    load: Math.max(passed ?? 0, Math.min(highest, planned ?? highest)),
    measureMs: times.confirmationMs,
    purpose: "confirmation",
  };
}

/** The nearest load that may be tried, no higher than this one. */
export function clampLoad(load: number, { isWhole, leastLoad, mostLoad }: SearchPlan): number {
  const rounded = isWhole ? Math.max(1, Math.round(load)) : roundDown(load);
  return Math.min(mostLoad, Math.max(leastLoad, rounded));
}

/** To four significant digits: a rate that can be read and typed. */
function roundDown(load: number): number {
  const unit = 10 ** (Math.floor(Math.log10(load)) - 3);
  return Number((Math.floor(load / unit + 1e-6) * unit).toPrecision(4));
}
