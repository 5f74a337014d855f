import { estimateObjective, type Estimate } from "./estimate.ts";
import { judgeEstimate, type Judgement, type TrialVerdict } from "./judge.ts";
import type { Batch, Objective } from "./objective.ts";
import { pointOf, type Point } from "./points.ts";
import { poolEffects, type LoadedEstimate } from "./pool-effects.ts";

/** One trial of a search: a load that was applied for a while, and what each objective saw of it. */
export interface SearchTrial {
  /** Iterations a second, or virtual users. */
  readonly load: number;
  readonly purpose: "search" | "confirmation";
  readonly measuredMs: number;
  /** All the time that it cost: settling, measuring, and waiting for what was still under way. */
  readonly tookMs: number;
  /** For each objective, in their order. */
  readonly batches: readonly (readonly Batch[])[];
  /** Successful requests, as iterations a second or virtual users would have made them. */
  readonly goodLoad: number;
  /** The generator did not apply the load: nothing here is about the target. */
  readonly isGeneratorLimited: boolean;
  /** True if the generator was late: responses may look slower than they were. */
  readonly isGeneratorStrained?: boolean;
  /** True if all virtual users were busy so often that the load was not applied: no objective is met, whatever was measured. */
  readonly isOverrun?: boolean;
}

/** All that trials at one load have shown, judged together. */
export interface LoadRecord {
  readonly load: number;
  readonly verdict: TrialVerdict;
  readonly measuredMs: number;
  readonly goodLoad: number;
  /** For each objective; null where there was too little to judge. */
  readonly judgements: readonly (Judgement | null)[];
  readonly points: readonly (Point | null)[];
  /** True where it passed, and where every objective was met so clearly, by so many requests, that chance is no explanation. */
  readonly isClearlyMet: boolean;
  /** True where some objective's figure is past its bound, decided or not, and where nothing succeeded. */
  readonly looksViolated: boolean;
}

/** Trials of the same load are one sample, looked at as many times as there are trials. In ascending order of the load. */
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

/** Loads that are so much lower than one that looks violated have queues of another kind. */
const farBelow = 0.8;

/** In a queue near its limit requests depend on each other far more than well below it: each side speaks for itself. */
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
    measuredMs: trials.reduce((sum, { measuredMs }) => sum + measuredMs, 0),
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

/** So many violations were allowed at least, and this share of them is the most that were seen. */
const clear = { allowed: 5, share: 0.25 };

function isClear(objective: Objective | undefined, judgement: Judgement | null): boolean {
  if (objective === undefined || judgement === null || objective.judges !== "share") return false;
  const { value, samples } = judgement;
  return samples * objective.bound >= clear.allowed && value <= objective.bound * clear.share;
}

/** All objectives must pass; one that fails is enough to fail. */
function verdictOf(judgements: readonly (Judgement | null)[]): TrialVerdict {
  if (judgements.some((judgement) => judgement?.verdict === "FAIL")) return "FAIL";
  return judgements.every((judgement) => judgement?.verdict === "PASS") ? "PASS" : "UNDECIDED";
}
