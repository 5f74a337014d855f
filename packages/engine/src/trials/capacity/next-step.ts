import { sumBy } from "@bearhug/metrics/sum";

import { findBounds, type Bounds } from "./bounds.ts";
import { isTargetDown, loadToRetry } from "../collapse.ts";
import { recordLoads, triedLoads, type LoadRecord, type SearchTrial } from "./load-records.ts";
import type { Limit } from "./locate-limit.ts";
import { planConfirmation } from "./plan-confirmation.ts";
import { planProof } from "./plan-proof.ts";
import type { Objective } from "./objective.ts";

/** The goal of a search, and its limits. */
export interface SearchPlan {
  readonly objectives: readonly Objective[];
  readonly leastLoad: number;
  readonly mostLoad: number;
  readonly firstLoad: number;
  /** The load that must be proven to meet the objectives; absent or null for none. */
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

/** The approximate time to start and end a trial. */
const overheadMs = 1500;
/** While the interval reaches further than these shares of the load, trials are short, or of medium length. */
const [vague, rough] = [0.5, 0.2];
/** The share of the budget that is reserved for the confirmation. */
const confirmationShare = 0.25;
/** The greatest distance of trials near the limit from it, as a share. */
const maxDistance = 0.08;

/** Decides the next trial from all earlier ones; null when the search is over. */
export function nextStep(plan: SearchPlan, trials: readonly SearchTrial[]): TrialStep | null {
  const remainingMs = plan.budgetMs - sumBy(trials, ({ tookMs }) => tookMs);
  const times = timesOf(plan, remainingMs);
  const longestMs = remainingMs - times.settleMs - overheadMs;
  if (longestMs < minMs) return null;
  const step = chooseStep(plan, trials, times);
  if (step === null) return null;
  // The required load is tried exactly, without rounding.
  const load = step.load === plan.atLeast ? step.load : clampLoad(step.load, plan);
  return {
    ...step,
    load,
    settleMs: times.settleMs,
    measureMs: Math.floor(Math.min(step.measureMs, longestMs) / 1000) * 1000,
  };
}

const minMs = 3000;

interface Times {
  readonly settleMs: number;
  readonly shortMs: number;
  readonly longMs: number;
  readonly confirmationMs: number;
  readonly hasTimeToSearch: boolean;
}

function timesOf({ budgetMs }: SearchPlan, remainingMs: number): Times {
  const shortMs = Math.min(10_000, Math.max(minMs, Math.round(budgetMs / 60_000) * 1000));
  const settleMs = Math.min(5000, Math.max(1000, shortMs * 0.4));
  const confirmationMs = Math.max(minMs, budgetMs * confirmationShare);
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
  const tried = triedLoads(trials);
  if (isTargetDown(tried)) return null;
  const again = loadToRetry(tried);
  if (again !== null) return search(again, times.shortMs);
  const records = recordLoads(plan.objectives, trials);
  const bounds = findBounds(records);
  const confirmed = followConfirmation(trials, records, times);
  if (confirmed !== "search on") return confirmed;
  const saturated = trials.filter(({ isGeneratorLimited }) => isGeneratorLimited).map(({ load }) => load);
  const highest = records.at(-1)?.load ?? 0;
  const saturatedFrom = Math.min(
    ...saturated.filter((load) => load > highest && isSaturatedAt(load, saturated)),
  );
  const step = approach(plan, trials, { records, bounds, times, saturatedFrom });
  const choices = [step, settleForLess(bounds, times)];
  return choices.find((choice) => choice === null || !isSaturatedAt(choice.load, saturated)) ?? null;
}

/** True if the generator was saturated at about this load more than once: a single time may be chance. */
export function isSaturatedAt(load: number, saturated: readonly number[]): boolean {
  return saturated.filter((other) => Math.abs(other / load - 1) < nearShare).length > 1;
}

/** Loads that differ by less than this share count as the same for the generator. */
const nearShare = 0.03;

/** Plans a proof of a lower load, because the generator cannot apply the one that the search needs. */
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
  /**
   * The lowest load, above all judged ones, at which the generator was saturated twice; Infinity for none.
   */
  readonly saturatedFrom: number;
}

/**
 * Returns the next trial: goes up until a load looks violated, down until one looks met, then between them.
 */
function approach(plan: SearchPlan, trials: readonly SearchTrial[], situation: Situation): Choice | null {
  const { records, bounds, times } = situation;
  const { met, violated } = bounds;
  if (violated === null) return climb(plan, trials, situation);
  if (met === null) {
    if (violated.load > plan.leastLoad)
      return search(Math.max(plan.leastLoad, stepDown(violated)), times.shortMs);
    const isOver = violated.verdict === "FAIL" || neverSucceeds(violated, trials);
    return isOver ? null : search(plan.leastLoad, times.longMs);
  }
  const next = times.hasTimeToSearch
    ? (planProof(plan, records, bounds, times) ?? narrow(plan, records, bounds, times))
    : null;
  return next ?? confirmation(plan, records, bounds, times);
}

/**
 * Doubles the load while none looks violated, up to the highest allowed, or to the most that the generator
 * can apply.
 */
function climb(
  plan: SearchPlan,
  trials: readonly SearchTrial[],
  { bounds, times, saturatedFrom }: Situation,
): Choice | null {
  const { met } = bounds;
  if (met === null) {
    const last = trials.at(-1)?.load ?? plan.firstLoad;
    return search(Math.max(plan.leastLoad, last / 2), times.shortMs);
  }
  const top = met.load;
  if (top < plan.mostLoad && saturatedFrom > top * minFactor)
    return search(Math.min(plan.mostLoad, top * 2, Math.sqrt(top * saturatedFrom)), times.shortMs);
  return settleForLess(bounds, times);
}

/** True if a load had no success in two trials: a third one would not meet the objectives either. */
function neverSucceeds({ load, goodLoad }: LoadRecord, trials: readonly SearchTrial[]): boolean {
  return goodLoad === 0 && trials.filter((trial) => trial.load === load).length > 1;
}

function search(load: number, measureMs: number): Choice {
  return { load, measureMs, purpose: "search" };
}

/**
 * Decides after a confirmation: ends the search if it passed, extends it while undecided, and searches on if
 * it failed.
 */
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
  return verdict === "UNDECIDED" && looks < maxLooks
    ? { load: last.load, measureMs: times.confirmationMs, purpose: "confirmation" }
    : null;
}

/** The most trials of a confirmation, which is extended while it is undecided and the budget allows. */
const maxLooks = 3;

/** Returns a lower load: the part that succeeded under too much load is about what the target can handle. */
function stepDown({ load, goodLoad }: LoadRecord): number {
  return goodLoad > load / 100 && goodLoad < load * 0.9 ? goodLoad * 0.9 : load / 2;
}

/**
 * Returns the next trial between a load that looks met and one that looks violated; null once the limit is
 * known well enough.
 */
function narrow(
  { precision }: SearchPlan,
  records: readonly LoadRecord[],
  { met, violated, limit }: Bounds,
  times: Times,
): Choice | null {
  if (met === null || violated === null) return null;
  const ratio = violated.load / met.load;
  const hint = violated.goodLoad * 0.97;
  if (ratio > minFactor && hint > met.load * 1.02 && hint < violated.load * 0.9)
    return search(hint, times.shortMs);
  if (limit !== null) {
    const reach = Math.max(limit.high / limit.load - 1, 1 - limit.low / limit.load);
    if (reach <= precision) return null;
    if (reach > vague) return search(limit.load, times.shortMs);
    const measureMs = reach > rough ? Math.sqrt(times.shortMs * times.longMs) : times.longMs;
    return search(beside(limit, records), measureMs);
  }
  if (ratio > minFactor) return search(Math.sqrt(met.load * violated.load), times.shortMs);
  const sides = [met, violated].filter(({ verdict }) => verdict === "UNDECIDED");
  const [side] = sides.sort((left, right) => left.measuredMs - right.measuredMs);
  if (side === undefined) return null;
  if (side.measuredMs < times.longMs * 1.5) return search(side.load, times.longMs);
  // A load that stays undecided for so long is near the limit: a line through it needs a second load.
  const wanted = side === met ? side.load * (1 - secondStep) : side.load * (1 + secondStep);
  return search(wanted, times.longMs);
}

/** The distance at which two loads differ clearly in a queue, although both are near its limit. */
const secondStep = 0.06;

/** The least factor between loads that short trials can distinguish. */
const minFactor = 1.15;

/**
 * Returns a load on the side of the limit that was measured for less time, at a distance where log odds
 * differ by about half a unit: the line through both sides shows where the limit is. An undecided load near
 * there is measured for longer instead.
 */
function beside({ load: limit, steepness }: Limit, records: readonly LoadRecord[]): number {
  const distance = Math.min(maxDistance, Math.max(0.005, 0.6 / steepness));
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
  return sumBy(records, ({ measuredMs }) => measuredMs);
}

/** An estimate needs a load that passed. Without one, a load this share below the limit is confirmed. */
const farBelow = 0.5;

/**
 * Returns a trial of a load that can be confirmed in the reserved time, or of the estimate if there is none.
 */
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

/** Rounds a load, rates downwards, and limits it to the allowed range. */
export function clampLoad(load: number, { isWhole, leastLoad, mostLoad }: SearchPlan): number {
  const rounded = isWhole ? Math.max(1, Math.round(load)) : roundDown(load);
  return Math.min(mostLoad, Math.max(leastLoad, rounded));
}

/** Rounds down to four significant digits, so that a rate is easy to read and type. */
function roundDown(load: number): number {
  const unit = 10 ** (Math.floor(Math.log10(load)) - 3);
  return Number((Math.floor(load / unit + 1e-6) * unit).toPrecision(4));
}
