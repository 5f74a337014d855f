import { findBounds, type Bounds } from "./bounds.ts";
import { recordLoads, type LoadRecord, type SearchTrial } from "./load-records.ts";
import type { Objective } from "./objective.ts";

/** The goal of a search, and its limits. */
export interface SearchPlan {
  readonly objectives: readonly Objective[];
  readonly leastLoad: number;
  readonly mostLoad: number;
  readonly firstLoad: number;
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
/** The share of the budget that is kept for the confirmation. */
const confirmationShare = 0.2;
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
  const load = clampLoad(step.load, plan);
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
  const records = recordLoads(plan.objectives, trials);
  const ceiling = Math.min(
    plan.mostLoad,
    ...trials.filter(({ isGeneratorLimited }) => isGeneratorLimited).map(({ load }) => load * 0.95),
  );
  const bounds = findBounds(records);
  const search = (load: number, measureMs = times.shortMs): Choice => ({
    load,
    measureMs,
    purpose: "search",
  });
  const confirmed = trials.at(-1)?.purpose === "confirmation" ? trials.at(-1)?.load : undefined;
  if (confirmed !== undefined) {
    const record = records.find(({ load }) => load === confirmed);
    if (record?.verdict !== "FAIL" || !times.hasTimeToSearch) return null;
  }
  if (trials.length === 0) return search(plan.firstLoad);
  const { met, violated } = bounds;
  if (violated === null) {
    if (met === null) return search(Math.min(ceiling, (trials.at(-1)?.load ?? plan.firstLoad) / 2));
    const top = met.load;
    if (top >= ceiling)
      return bounds.passed === top || !times.hasTimeToSearch ? null : search(top, times.longMs);
    return search(Math.min(ceiling, top * 2));
  }
  if (met === null) {
    if (violated.load <= plan.leastLoad)
      return violated.verdict === "FAIL" ? null : search(plan.leastLoad, times.longMs);
    return search(Math.max(plan.leastLoad, stepDown(violated)));
  }
  if (!times.hasTimeToSearch) return confirmation(plan, bounds, times);
  return narrow(plan, records, bounds, times, search) ?? confirmation(plan, bounds, times);
}

/** The requests that succeeded under too much load are about what the target can do. */
function stepDown({ load, goodLoad }: LoadRecord): number {
  return goodLoad > load / 100 && goodLoad < load * 0.9 ? goodLoad * 0.9 : load / 2;
}

/** The next trial between a load that looks met and one that looks violated; null once they are near enough. */
function narrow(
  { precision }: SearchPlan,
  records: readonly LoadRecord[],
  { met, violated, crossing }: Bounds,
  times: Times,
  search: (load: number, measureMs?: number) => Choice,
): Choice | null {
  if (met === null || violated === null) return null;
  const isUsable =
    crossing !== null &&
    crossing.load > met.load * 0.85 &&
    crossing.load < violated.load * 1.15 &&
    crossing.standardError < crossing.load * 0.15;
  if (isUsable) {
    const reach = Math.max(crossing.high - crossing.load, crossing.load - crossing.low);
    if (reach <= precision * crossing.load) return null;
    return search(beside(crossing.load, crossing.slope, records), times.longMs);
  }
  const ratio = violated.load / met.load;
  if (ratio > (met.verdict === "PASS" || violated.verdict === "FAIL" ? 1 + precision : coarsest)) {
    const hint = violated.goodLoad * 0.97;
    const isHint = hint > met.load * 1.02 && hint < violated.load * 0.9;
    return search(isHint ? hint : Math.sqrt(met.load * violated.load));
  }
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
function beside(limit: number, slope: number, records: readonly LoadRecord[]): number {
  const distance = Math.min(widestStep, Math.max(0.005, 0.6 / (slope * limit)));
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

function confirmation(
  plan: SearchPlan,
  { crossing, passed, failed, met }: Bounds,
  times: Times,
): Choice | null {
  const estimate = crossing?.load ?? met?.load ?? null;
  if (estimate === null) return null;
  const highest = failed === null ? estimate : Math.min(estimate, failed * (1 - plan.precision / 2));
  return { load: Math.max(passed ?? 0, highest), measureMs: times.confirmationMs, purpose: "confirmation" };
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
