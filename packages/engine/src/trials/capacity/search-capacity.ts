import { formatInUnit } from "@bearhug/metrics/results/format-in-unit";
import { loadOf } from "@bearhug/metrics/results/load";
import { sumBy } from "@bearhug/metrics/sum";
import type { TestResult } from "@bearhug/sdk";
import type { CapacityResult, CapacityTrial } from "@bearhug/sdk/result";
import { formatPercent } from "@bearhug/text/percent";

import { maxDroppedShare, maxLostShare } from "../../outcome/verdict/dropped-too-many.ts";
import { isTargetDown } from "../collapse.ts";
import { droppedShare, lostShare, trialFigures } from "../trial-figures.ts";
import type { RunTrial } from "../trial.ts";
import { findAnswer } from "./find-answer.ts";
import { findBounds, type Bounds } from "./bounds.ts";
import { describeLimit } from "./limiting-cause.ts";
import { recordLoads, triedLoads, type LoadRecord, type SearchTrial } from "./load-records.ts";
import { nextStep, type SearchPlan, type TrialStep } from "./next-step.ts";
import type { Objective } from "./objective.ts";
import { readBatches } from "./read-batches.ts";

/** A requested search. */
export interface CapacitySearchOptions {
  /** If `firstLoad` is null, the search starts at as many iterations a second as one virtual user makes. */
  readonly plan: Omit<SearchPlan, "firstLoad"> & { readonly firstLoad: number | null };
  readonly unit: CapacityResult["unit"];
  readonly seed: number;
  readonly runTrial: RunTrial;
  /** In ms. */
  readonly now: () => number;
  readonly observer: CapacityObserver;
}

/** Watches a search. */
export interface CapacityObserver {
  onStep(step: TrialStep): void;
  onTrial(trial: CapacityTrial, bounds: Bounds, spentMs: number): void;
}

/** The answer of a search, and the run that supports it. */
export interface CapacityRun {
  readonly capacity: Omit<CapacityResult, "objectives" | "atLeast">;
  readonly result: TestResult;
  /** True if a trial ended early: interrupted, or its test failed. */
  readonly isCutShort: boolean;
}

interface DoneTrial extends SearchTrial {
  readonly described: CapacityTrial;
  readonly result: TestResult;
}

/** The times of the trial with one virtual user that finds the first load. */
const probe = { settleMs: 500, measureMs: 2000 };

/** Runs trials until the search is over. */
export async function searchCapacity(options: CapacitySearchOptions): Promise<CapacityRun> {
  const { plan: requested, unit, runTrial, now, seed, observer } = options;
  const startedMs = now();
  const trials: DoneTrial[] = [];
  let firstLoad = requested.firstLoad;
  let probed: TestResult | null = null;
  if (firstLoad === null) {
    const load = { kind: "vus", vus: 1 } as const;
    probed = await runTrial({ load, seed, ...probe });
    const figures = trialFigures({ load, measureMs: probe.measureMs }, probed);
    firstLoad = unit === "vus" ? 1 : figures.iterationRate * (1 - figures.failedShare);
    if (hasStopped(probed)) return endEarly({ ...requested, firstLoad }, trials, probed);
  }
  const plan: SearchPlan = {
    ...requested,
    firstLoad: Math.max(requested.leastLoad, firstLoad),
    budgetMs: requested.budgetMs - (now() - startedMs),
  };
  for (;;) {
    const step = nextStep(plan, trials);
    if (step === null) break;
    observer.onStep(step);
    const stepMs = now();
    const load = loadOf(step.load, unit);
    const { settleMs, measureMs } = step;
    const result = await runTrial({ load, settleMs, measureMs, seed: seed + trials.length + 1 });
    if (hasStopped(result)) return endEarly(plan, trials, result);
    const figures = trialFigures({ load, measureMs }, result);
    const trial = toSearchTrial(plan, step, { figures, result, tookMs: now() - stepMs });
    const records = recordLoads(plan.objectives, [...trials, trial]);
    const described = describeTrial(trial, records, figures);
    trials.push({ ...trial, described, result });
    observer.onTrial(described, findBounds(records), now() - startedMs);
  }
  const judged = trials.filter(({ isGeneratorLimited }) => !isGeneratorLimited);
  const supporting =
    judged.findLast(({ described, purpose }) => purpose === "confirmation" && described.verdict !== "FAIL") ??
    judged.findLast(({ described }) => described.verdict === "PASS") ??
    trials.at(-1);
  const result = supporting?.result ?? probed;
  if (result === null) throw new RangeError("the budget is too short for a trial");
  return { capacity: summarize(options, plan, trials), result, isCutShort: false };

  function endEarly(reached: SearchPlan, done: readonly DoneTrial[], stopped: TestResult): CapacityRun {
    return { capacity: summarize(options, reached, done), result: stopped, isCutShort: true };
  }
}

function hasStopped({ verdict }: TestResult): boolean {
  return verdict === "interrupted" || verdict === "errored" || verdict === "aborted";
}

function toSearchTrial(
  { objectives }: SearchPlan,
  { load, purpose, measureMs }: TrialStep,
  { figures, result, tookMs }: Pick<CapacityTrial, "figures"> & { result: TestResult; tookMs: number },
): SearchTrial {
  const { iterationRate, failedShare, generator } = figures;
  const goodRate = iterationRate * (1 - failedShare);
  return {
    load,
    purpose,
    tookMs,
    measuredMs: measureMs,
    batches: objectives.map((objective) => readBatches(objective, result)),
    goodLoad: figures.load.kind === "vus" && goodRate > 0 ? load : goodRate,
    isGeneratorLimited: generator.verdict === "saturated",
    isGeneratorStrained: generator.verdict === "strained",
    isOverrun: droppedShare(figures) > maxDroppedShare || losesTime(figures, result),
  };
}

/** True if virtual users of a closed model hung for so long that they were not the load that was asked for. */
function losesTime({ load }: CapacityTrial["figures"], result: TestResult): boolean {
  return load.kind === "vus" && lostShare(result) > maxLostShare;
}

function describeTrial(
  trial: SearchTrial,
  records: readonly LoadRecord[],
  figures: CapacityTrial["figures"],
): CapacityTrial {
  const record = trial.isGeneratorLimited ? undefined : records.find(({ load }) => load === trial.load);
  const readings = (record?.judgements ?? []).map((judgement) => {
    if (judgement === null) return null;
    const { verdict, value, low, high } = judgement;
    return { verdict, value, low, high };
  });
  const { purpose, isGeneratorLimited } = trial;
  return { purpose, verdict: record?.verdict ?? "UNDECIDED", readings, isGeneratorLimited, figures };
}

function summarize(
  { unit, plan: { budgetMs } }: CapacitySearchOptions,
  plan: SearchPlan,
  trials: readonly DoneTrial[],
): CapacityRun["capacity"] {
  const spentMs = budgetMs - plan.budgetMs + sumBy(trials, ({ tookMs }) => tookMs);
  return {
    ...findAnswer(plan, trials),
    passed: findBounds(recordLoads(plan.objectives, trials)).passed,
    ...(isTargetDown(triedLoads(trials)) && { isTargetDown: true }),
    unit,
    limitedBy: findLimit(plan, trials),
    budgetMs,
    spentMs,
    trials: trials.map(({ described }) => described),
  };
}

/** Describes a monitored gauge whose mean was past its bound; empty for other objectives. */
function describeBusy(
  { metric, bound, gaugeUnit }: Objective,
  judgement: LoadRecord["judgements"][number] | undefined,
): string[] {
  if (gaugeUnit === undefined || judgement === null || judgement === undefined) return [];
  return judgement.value > bound ? [`${metric}: ${formatInUnit(judgement.value, gaugeUnit)} on average`] : [];
}

/**
 * Describes what limits the load, from the lowest load that failed or else the lowest that looks violated.
 */
function findLimit({ objectives }: SearchPlan, trials: readonly DoneTrial[]): string | null {
  const { violated, met } = findBounds(recordLoads(objectives, trials));
  if (violated === null) return null;
  const counting = trials.filter(({ isGeneratorLimited }) => !isGeneratorLimited);
  const trialAt = (load: number | undefined): DoneTrial | undefined =>
    counting.findLast((trial) => trial.load === load);
  const trial = trialAt(violated.load);
  if (trial === undefined) return null;
  const busy = objectives.flatMap((objective, index) => describeBusy(objective, violated.judgements[index]));
  const [first] = busy;
  if (first !== undefined) return first;
  if (losesTime(trial.described.figures, trial.result))
    return `virtual users that hang: they lost ${formatPercent(lostShare(trial.result))} of their time to requests that were never answered, timeouts and back-off`;
  const byFailures = objectives.some(({ metric, bound }, index) => {
    const judgement = violated.judgements[index];
    return metric === "http_req_failed" && judgement?.verdict !== "PASS" && (judgement?.value ?? 0) > bound;
  });
  const mostGoodRate = Math.max(...counting.map(({ described }) => described.figures.goodRate));
  return describeLimit({
    violated: trial.described.figures,
    met: trialAt(met?.load)?.described.figures ?? null,
    byFailures,
    mostGoodRate,
  });
}
