import { exitCodes } from "@bearhug/metrics/results/exit-codes";
import { amountOf, formatLoad, loadOf } from "@bearhug/metrics/results/load";
import { isThresholdFailure } from "@bearhug/metrics/results/reason-words";
import { sumBy } from "@bearhug/metrics/sum";
import type { TestResult } from "@bearhug/sdk";
import type { TrialResult } from "@bearhug/sdk/result";

import type { Interruptions } from "../../run/interruptions.ts";
import { loadToRetry } from "../collapse.ts";
import { trialFigures } from "../trial-figures.ts";
import { composeSweep, type SweepFault } from "./compose-sweep.ts";
import { triedLoads, whyLadderEnds } from "./judge-ladder.ts";
import { addStep, type Ladder, type LadderTarget, type SweepPlan, type SweepState } from "./ladders.ts";

/** A measured step. */
export interface SweepStep {
  readonly target: LadderTarget;
  readonly load: number;
  readonly figures: TrialResult;
  /** The document of the sweep so far, marked as unfinished. */
  readonly document: TestResult;
}

export interface SweepHooks {
  readonly interruptions: Pick<Interruptions, "isInterrupted" | "signal">;
  /** `number` counts the steps that have begun, including this one. */
  readonly onBegin?: (step: Pick<SweepStep, "target" | "load"> & { readonly number: number }) => void;
  /** The next step waits for its promise. */
  readonly onStep: (step: SweepStep) => Promise<void>;
}

/**
 * Conducts a sweep: for each load, it loads each target in turn, so that drift affects all targets alike. A
 * ladder ends early if its target or the load generator reaches its limit. Resolves to the document of all
 * measurements.
 * @param earlier the state of an earlier sweep, whose steps are not repeated
 */
export async function conductSweep(
  plan: SweepPlan,
  earlier: SweepState,
  hooks: SweepHooks,
): Promise<TestResult> {
  const sweep = new Sweep(plan, earlier);
  let number = 0;
  for (const load of plan.loads) {
    for (const [index, target] of plan.targets.entries()) {
      if (hooks.interruptions.isInterrupted && sweep.hasRun) break;
      number++;
      if (!sweep.isDue(index, load)) continue;
      hooks.onBegin?.({ target, load, number });
      const figures = await sweep.measure(index, target, load);
      if (figures === null) continue;
      await hooks.onStep({ target, load, figures, document: sweep.unfinished() });
    }
  }
  for (const [index, target] of plan.targets.entries()) {
    const load = hooks.interruptions.isInterrupted ? null : sweep.loadToRetry(index);
    if (load === null) continue;
    hooks.onBegin?.({ target, load, number });
    await sweep.retry(index, target, load);
  }
  return sweep.end(hooks.interruptions.isInterrupted ? hooks.interruptions.signal : null);
}

class Sweep {
  readonly #plan: SweepPlan;
  readonly #ladders: Ladder[];
  readonly #faults: SweepFault[] = [];
  /** The targets whose last step failed by more than its thresholds: they may have gone down in it. */
  readonly #doubtful = new Set<number>();
  #described: SweepState["described"];
  #lastRun: TestResult | null;

  constructor(plan: SweepPlan, { ladders, described }: SweepState) {
    this.#plan = plan;
    this.#ladders = [...ladders];
    this.#described = described;
    this.#lastRun = described?.result ?? null;
  }

  /** True once there is something to report. */
  get hasRun(): boolean {
    return this.#lastRun !== null;
  }

  isDue(index: number, load: number): boolean {
    const { ending, steps } = this.#ladderAt(index);
    return ending === null && !steps.some((step) => amountOf(step.load) === load);
  }

  /** Measures one step; resolves to null if its run ended early. */
  async measure(index: number, target: LadderTarget, load: number): Promise<TrialResult | null> {
    const { result, figures } = await this.#try(target, load);
    this.#lastRun = result;
    const ladder = this.#ladderAt(index);
    if (figures === null) {
      if (result.verdict !== "interrupted") this.#ladders[index] = { ...ladder, ending: "error" };
      return null;
    }
    const steps = addStep(ladder.steps, figures);
    this.#ladders[index] = { steps, ending: whyLadderEnds(steps) };
    if (result.messages.some((message) => !isThresholdFailure(message))) this.#doubtful.add(index);
    else this.#doubtful.delete(index);
    this.#describeBest(target, load, figures, result);
    return figures;
  }

  /** Returns the load that shows if a target is down after its last step; null if there is no doubt. */
  loadToRetry(index: number): number | null {
    const { steps, ending } = this.#ladderAt(index);
    const tried = triedLoads(steps);
    const last = tried.at(-1);
    // A saturated generator explains what failed.
    if (last === undefined || ending === "generator" || !this.#doubtful.has(index)) return loadToRetry(tried);
    return loadToRetry([...tried.slice(0, -1), { ...last, hasCollapsed: true }]);
  }

  /**
   * Retries a load that was served before. This does not count as a step, because the target's state has
   * changed since.
   */
  async retry(index: number, target: LadderTarget, load: number): Promise<void> {
    const { figures } = await this.#try(target, load);
    if (figures !== null) this.#ladders[index] = { ...this.#ladderAt(index), retried: figures };
  }

  /**
   * Returns the document of a sweep in progress. If no later one was written, the sweep did not end normally.
   */
  unfinished(): TestResult {
    const message = `the sweep had not ended when this was written: ${this.#progress()}`;
    const fault = { exitCode: exitCodes.interrupted, messages: [message] };
    return this.#compose([...this.#faults, fault], "unfinished");
  }

  /** @param signal the signal that interrupted the sweep; null for none */
  end(signal: string | null): TestResult {
    if (signal === null) return this.#compose(this.#faults, "complete");
    const fault = {
      exitCode: exitCodes.interrupted,
      messages: [`${signal}: the sweep ended early: ${this.#progress()}`],
    };
    return this.#compose([...this.#faults, fault], "interrupted");
  }

  #compose(
    faults: readonly SweepFault[],
    otherEnding: "complete" | "interrupted" | "unfinished",
  ): TestResult {
    if (this.#lastRun === null) throw new TypeError("a sweep has at least one step");
    const state = { ladders: this.#ladders, described: this.#described };
    return composeSweep({ plan: this.#plan, state, lastRun: this.#lastRun, faults, otherEnding });
  }

  #ladderAt(index: number): Ladder {
    return this.#ladders[index] ?? { steps: [], ending: null };
  }

  /** Loads a target; the figures are null for a run that was interrupted, or could not be carried out. */
  async #try(
    { runTrial }: LadderTarget,
    load: number,
  ): Promise<{ readonly result: TestResult; readonly figures: TrialResult | null }> {
    const { loadUnit, settleMs, measureMs, seed } = this.#plan;
    const trial = { load: loadOf(load, loadUnit), settleMs, measureMs, seed };
    const result = await runTrial(trial);
    const hasEnded = result.verdict !== "interrupted" && !this.#addFault(result, load);
    return { result, figures: hasEnded ? trialFigures(trial, result) : null };
  }

  /** Returns true for a run that could not be carried out, whose reasons then fail the sweep. */
  #addFault({ verdict, exitCode, messages }: TestResult, load: number): boolean {
    if (verdict !== "errored" && verdict !== "aborted") return false;
    const at = formatLoad(load, this.#plan.loadUnit);
    this.#faults.push({ exitCode, messages: messages.map((message) => `at ${at}: ${message}`) });
    return true;
  }

  /** Keeps the run of the step with the highest throughput, preferring steps that passed. */
  #describeBest({ name }: LadderTarget, load: number, { goodRate }: TrialResult, result: TestResult): void {
    const { exitCode, messages } = result;
    const best = this.#described;
    const hasPassed = exitCode === exitCodes.passed;
    const isPassedBest = best?.exitCode === exitCodes.passed;
    const isBetter = hasPassed === isPassedBest ? goodRate > (best?.goodRate ?? -1) : hasPassed;
    if (best === null || isBetter)
      this.#described = { target: name, load, exitCode, messages, result, goodRate };
  }

  #progress(): string {
    const done = sumBy(this.#ladders, ({ steps }) => steps.length);
    return `${done} of ${this.#plan.loads.length * this.#plan.targets.length} steps were measured`;
  }
}
