import { sumBy } from "@bearhug/metrics/sum";

import { minGoodShare, type TriedLoad } from "../collapse.ts";
import { estimateObjective, type Estimate } from "./estimate.ts";
import { judgeEstimate, type Judgement, type TrialVerdict } from "./judge.ts";
import type { Batch, Objective } from "./objective.ts";
import { pointOf, type Point } from "./points.ts";
import { poolEffects, type LoadedEstimate } from "./pool-effects.ts";

/** A trial of a search: a load that was applied for a while, and its samples for each objective. */
export interface SearchTrial {
  /** Iterations a second, or virtual users. */
  readonly load: number;
  readonly purpose: "search" | "confirmation";
  readonly measuredMs: number;
  /** The total time that it took: settling, measuring, and waiting for unfinished requests. */
  readonly tookMs: number;
  /** For each objective, in their order. */
  readonly batches: readonly (readonly Batch[])[];
  /**
   * The load that succeeded, in the unit of `load`. With virtual users, the whole load if any request
   * succeeded.
   */
  readonly goodLoad: number;
  /** True if the generator could not apply the load: then the trial did not measure the target. */
  readonly isGeneratorLimited: boolean;
  /** True if the generator was late: responses may look slower than they were. */
  readonly isGeneratorStrained?: boolean;
  /**
   * True if all virtual users were busy so often, or lost so much time, that the load was not applied. Then no
   * objective is met, whatever was measured.
   */
  readonly isOverrun?: boolean;
}

/** Returns the loads of trials that measured the target, to judge if it is down. */
export function triedLoads(trials: readonly SearchTrial[]): TriedLoad[] {
  return trials
    .filter(({ isGeneratorLimited }) => !isGeneratorLimited)
    .map(({ load, goodLoad }) => ({ load, hasCollapsed: goodLoad < load * minGoodShare }));
}

/** All trials at one load, judged together. */
export interface LoadRecord {
  readonly load: number;
  readonly verdict: TrialVerdict;
  readonly measuredMs: number;
  readonly goodLoad: number;
  /** For each objective; null if there were too few samples to judge. */
  readonly judgements: readonly (Judgement | null)[];
  readonly points: readonly (Point | null)[];
  /**
   * True if it passed, or if every objective was met so clearly, by so many requests, that chance is ruled
   * out.
   */
  readonly isClearlyMet: boolean;
  /**
   * True if an objective's figure is past its bound, even if undecided, if the load was not applied, or if
   * nothing succeeded.
   */
  readonly looksViolated: boolean;
}

/**
 * Judges each load, in ascending order. Trials at the same load are one sample, of which each further trial
 * is another look.
 */
export function recordLoads(objectives: readonly Objective[], trials: readonly SearchTrial[]): LoadRecord[] {
  const groups = Array.from(
    Map.groupBy(
      trials.filter(({ isGeneratorLimited }) => !isGeneratorLimited),
      ({ load }) => load,
    ),
  ).sort(([left], [right]) => left - right);
  const seen = objectives.map((objective, index) =>
    poolSides(
      objective,
      groups.map(([load, members]) => ({
        load,
        estimate: estimateObjective(
          objective,
          members.flatMap(({ batches }) => batches[index] ?? []),
        ),
      })),
    ),
  );
  return groups.map(([load, members], at) =>
    recordLoad(
      objectives,
      load,
      members,
      seen.map((estimates) => estimates[at] ?? null),
    ),
  );
}

/** Loads below this share of the first one that looks violated have queues of a different kind. */
const farBelow = 0.8;

/**
 * Pools effects near the limit and well below it separately: in a queue near its limit, requests depend on
 * each other far more.
 */
function poolSides(objective: Objective, loaded: readonly LoadedEstimate[]): (Estimate | null)[] {
  const violated = loaded.find(({ estimate }) => (estimate?.value ?? 0) > objective.bound)?.load ?? 0;
  const isFar = ({ load }: LoadedEstimate): boolean => load < violated * farBelow;
  const near = loaded.filter((one) => !isFar(one));
  return [...poolEffects(objective, loaded.filter(isFar)), ...poolEffects(objective, near)];
}

function recordLoad(
  objectives: readonly Objective[],
  load: number,
  trials: readonly SearchTrial[],
  estimates: readonly (Estimate | null)[],
): LoadRecord {
  const judgements = objectives.map((objective, index) => {
    const estimate = estimates[index] ?? null;
    return estimate && judgeEstimate(objective, estimate, trials.length);
  });
  const isOverrun = trials.some((trial) => trial.isOverrun === true);
  const verdict = isOverrun ? "FAIL" : verdictOf(judgements);
  const goodLoad = Math.max(...trials.map((trial) => trial.goodLoad));
  return {
    load,
    verdict,
    isClearlyMet:
      verdict === "PASS" ||
      (verdict === "UNDECIDED" &&
        judgements.every((judgement, index) => isClear(objectives[index], judgement))),
    measuredMs: sumBy(trials, ({ measuredMs }) => measuredMs),
    goodLoad,
    judgements,
    points: objectives.map((objective, index) => {
      const estimate = estimates[index] ?? null;
      return estimate && pointOf(objective, load, estimate);
    }),
    looksViolated:
      isOverrun ||
      goodLoad === 0 ||
      judgements.some((judgement, index) => (judgement?.value ?? 0) > (objectives[index]?.bound ?? 0)),
  };
}

/**
 * An objective is clearly met if at least this many violations were allowed, and at most this share of them
 * occurred.
 */
const clear = { allowed: 5, share: 0.25 };

function isClear(objective: Objective | undefined, judgement: Judgement | null): boolean {
  if (objective === undefined || judgement === null || objective.judges !== "share") return false;
  const { value, samples } = judgement;
  return samples * objective.bound >= clear.allowed && value <= objective.bound * clear.share;
}

/** Returns PASS if all objectives pass, and FAIL if any fails. */
function verdictOf(judgements: readonly (Judgement | null)[]): TrialVerdict {
  if (judgements.some((judgement) => judgement?.verdict === "FAIL")) return "FAIL";
  return judgements.every((judgement) => judgement?.verdict === "PASS") ? "PASS" : "UNDECIDED";
}
