import { estimateObjective, type Estimate } from "./estimate.ts";
import { judgeEstimate, type Judgement, type TrialVerdict } from "./judge.ts";
import type { Batch, Objective } from "./objective.ts";
import { pointOf, type Point } from "./points.ts";
import { poolEffects } from "./pool-effects.ts";

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
    poolEffects(
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
  const goodLoad = Math.max(...trials.map((trial) => trial.goodLoad));
  return {
    load,
    verdict: verdictOf(judgements),
    measuredMs: trials.reduce((sum, { measuredMs }) => sum + measuredMs, 0),
    goodLoad,
    judgements,
    points: objectives.map((objective, index) => {
      const estimate = estimates[index] ?? null;
      return estimate && pointOf(objective, load, estimate);
    }),
    looksViolated:
      goodLoad === 0 ||
      judgements.some((judgement, index) => (judgement?.value ?? 0) > (objectives[index]?.bound ?? 0)),
  };
}

/** All objectives must pass; one that fails is enough to fail. */
function verdictOf(judgements: readonly (Judgement | null)[]): TrialVerdict {
  if (judgements.some((judgement) => judgement?.verdict === "FAIL")) return "FAIL";
  return judgements.every((judgement) => judgement?.verdict === "PASS") ? "PASS" : "UNDECIDED";
}
