import type { CapacityAnswer } from "@bearhug/sdk/internal";

import { findBounds, type Bounds } from "./bounds.ts";
import type { TrialVerdict } from "./judge.ts";
import { recordLoads, type LoadRecord, type SearchTrial } from "./load-records.ts";
import type { SearchPlan } from "./next-step.ts";

/** The outcome of a search. */
export interface SearchAnswer {
  readonly answer: CapacityAnswer;
  readonly load: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly confirmed: TrialVerdict | null;
}

/** An interval that reaches further than this share of the load to either side leaves the capacity undecided. */
const widestReach = 0.15;

/** Says what a search has found, from all its trials: also where it ended early. */
export function findAnswer(plan: SearchPlan, trials: readonly SearchTrial[]): SearchAnswer {
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
  const confirmation = trials.findLast(({ purpose }) => purpose === "confirmation");
  const record = records.find(({ load }) => load === confirmation?.load);
  const load = chooseLoad(record, bounds);
  const { low, high } = interval;
  const isNarrow =
    load !== null &&
    low !== null &&
    high !== null &&
    low >= load * (1 - widestReach) &&
    high <= load * (1 + widestReach);
  const confirmed = load === record?.load ? record.verdict : null;
  return { answer: isNarrow ? "found" : "undecided", load, low, high, confirmed };
}

const noInterval = { low: null, high: null, confirmed: null };

/** The load that was confirmed; else the highest that passed. */
function chooseLoad(record: LoadRecord | undefined, { passed, crossing }: Bounds): number | null {
  if (record !== undefined && record.verdict !== "FAIL") return record.load;
  const estimate = crossing === null ? null : crossing.low;
  return passed === null && estimate === null ? null : Math.max(passed ?? 0, estimate ?? 0);
}

/** A load that passed and one that failed are bounds whatever the line says. */
function intervalOf({ passed, failed, crossing }: Bounds): { low: number | null; high: number | null } {
  if (crossing === null) return { low: passed, high: failed };
  return {
    low: Math.max(passed ?? 0, crossing.low),
    high: Math.min(failed ?? Number.POSITIVE_INFINITY, crossing.high),
  };
}
