import type { CapacityAnswer } from "@bearhug/sdk/result";

import { findBounds, type Bounds } from "./bounds.ts";
import { isTargetDown } from "../collapse.ts";
import type { TrialVerdict } from "./judge.ts";
import { recordLoads, triedLoads, type LoadRecord, type SearchTrial } from "./load-records.ts";
import { clampLoad, isSaturatedAt, type SearchPlan } from "./next-step.ts";

/** The outcome of a search. */
export interface SearchAnswer {
  readonly answer: CapacityAnswer;
  readonly load: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly confirmed: TrialVerdict | null;
}

/** The capacity is undecided if its interval reaches further than this share of the load to either side. */
const maxReach = 0.25;

/** Returns the answer of a search from all of its trials, even if it ended early. */
export function findAnswer(plan: SearchPlan, trials: readonly SearchTrial[]): SearchAnswer {
  // Trials of a target that was about to go down do not show its capacity.
  if (isTargetDown(triedLoads(trials))) return { ...noInterval, answer: "undecided", load: null };
  const records = recordLoads(plan.objectives, trials);
  const bounds = findBounds(records);
  const interval = intervalOf(bounds);
  const top = records.at(-1);
  if (bounds.violated === null && top?.verdict === "PASS") {
    if (top.load >= plan.mostLoad)
      return { ...noInterval, answer: "met-at-highest", load: top.load, low: top.load };
    if (trials.some(({ isGeneratorLimited }) => isGeneratorLimited))
      return { ...noInterval, answer: "generator-limited", load: top.load, low: top.load };
  }
  const lowest = records[0];
  if (lowest?.verdict === "FAIL" && lowest.load <= plan.leastLoad)
    return { ...noInterval, answer: "not-met-at-lowest", load: lowest.load, high: lowest.load };
  const confirmation = trials.findLast(
    ({ purpose, isGeneratorLimited }) => purpose === "confirmation" && !isGeneratorLimited,
  );
  const record = records.find(({ load }) => load === confirmation?.load);
  const load = chooseLoad(plan, record, bounds);
  const { low, high } = interval;
  const isNarrow =
    load !== null &&
    low !== null &&
    high !== null &&
    low >= load * (1 - maxReach) &&
    high <= load * (1 + maxReach);
  const saturated = trials.flatMap((trial) => (trial.isGeneratorLimited ? [trial.load] : []));
  const isLimited = saturated.some((limit) => isSaturatedAt(limit, saturated));
  if (!isNarrow && isLimited && bounds.passed !== null)
    return { ...noInterval, answer: "generator-limited", load: bounds.passed, low: bounds.passed };
  const met = records.findLast((one) => one.isClearlyMet && one.load <= (load ?? 0))?.load ?? null;
  const isFound = isNarrow && met !== null;
  if (isFound && restsOnStrainedTrials(plan, trials, records))
    return { ...noInterval, answer: "generator-limited", load: met, low: met };
  return { answer: isFound ? "found" : "undecided", load, low, high, confirmed: record?.verdict ?? null };
}

/**
 * True if the generator was late at every load that looks too slow: then the generator, not the target, may
 * be slow.
 */
function restsOnStrainedTrials(
  { objectives }: SearchPlan,
  trials: readonly SearchTrial[],
  records: readonly LoadRecord[],
): boolean {
  const isViolated = ({ judgements }: LoadRecord, ofTime: boolean): boolean =>
    objectives.some(
      ({ metric, gaugeUnit, bound }, index) =>
        (judgements[index]?.value ?? 0) > bound &&
        ofTime === (metric !== "http_req_failed" && gaugeUnit === undefined),
    );
  if (records.some((record) => isViolated(record, false))) return false;
  const slow = records.filter((record) => isViolated(record, true)).map(({ load }) => load);
  const judged = trials.filter(({ load, isGeneratorLimited }) => !isGeneratorLimited && slow.includes(load));
  return judged.length > 0 && judged.every(({ isGeneratorStrained = false }) => isGeneratorStrained);
}

const noInterval = { low: null, high: null, confirmed: null };

/**
 * Returns the estimate from all trials, including the confirmation; without one, the confirmed load or the
 * highest that passed.
 */
function chooseLoad(
  plan: SearchPlan,
  record: LoadRecord | undefined,
  { passed, failed, limit }: Bounds,
): number | null {
  if (limit !== null) {
    const highest = Math.min(limit.load, failed ?? Number.POSITIVE_INFINITY);
    return Math.max(passed ?? 0, clampLoad(highest, plan));
  }
  return record !== undefined && record.verdict !== "FAIL" ? record.load : passed;
}

/** Returns the interval of the estimate, narrowed by the loads that passed and failed. */
function intervalOf({ passed, failed, limit }: Bounds): { low: number | null; high: number | null } {
  if (limit === null) return { low: passed, high: failed };
  return {
    low: Math.max(passed ?? 0, limit.low),
    high: Math.min(failed ?? Number.POSITIVE_INFINITY, limit.high),
  };
}
