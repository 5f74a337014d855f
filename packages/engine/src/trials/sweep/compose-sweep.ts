import { chooseExitCode, exitCodes, verdictOf } from "@bearhug/metrics/results/exit-codes";
import { amountOf, formatLoad } from "@bearhug/metrics/results/load";
import type { TestResult } from "@bearhug/sdk";
import type { SweepEnding, TrialResult } from "@bearhug/sdk/result";

import { hasCollapsed, judgeLadder } from "./judge-ladder.ts";
import type { SweepPlan, SweepState } from "./ladders.ts";

/** A fault outside the described step that affects the exit code of a sweep, with its reasons. */
export interface SweepFault {
  readonly exitCode: number;
  readonly messages: readonly string[];
}

/** The inputs of a sweep's document. */
export interface ComposedSweep {
  readonly plan: SweepPlan;
  readonly state: SweepState;
  /** The run that is described if no step was measured completely. */
  readonly lastRun: TestResult;
  readonly faults: readonly SweepFault[];
  /** The ending of ladders that have none of their own. */
  readonly otherEnding: SweepEnding;
}

/** Composes the result document of a sweep: that of its best step, with the figures of all steps. */
export function composeSweep({ plan, state, lastRun, faults, otherEnding }: ComposedSweep): TestResult {
  const { described, ladders } = state;
  const { loadUnit, loads, settleMs, measureMs, conditions, targets } = plan;
  // If no step was measured completely, the faults explain why.
  const own = described ?? (faults.length > 0 ? { exitCode: 0, messages: [] } : lastRun);
  const allFaults = [...faults, ...silentTargets(plan, state), ...deadTargets(plan, state)];
  const exitCode = chooseExitCode([own, ...allFaults].map((one) => one.exitCode));
  const messages = [...own.messages, ...allFaults.flatMap((fault) => fault.messages)];
  const run = described?.result ?? lastRun;
  return {
    ...run,
    notes: [...run.notes.filter((note) => !note.includes(brokeWords)), ...brokenTargets(plan, state)],
    verdict: verdictOf(exitCode),
    exitCode,
    messages: [...new Set(messages)],
    sweep: {
      loadUnit,
      loads,
      settleMs,
      measureMs,
      conditions,
      targets: targets.map(({ name, address }, index) => {
        const { steps = [], ending = null, retried } = ladders[index] ?? {};
        return {
          name,
          address,
          steps,
          ending: ending ?? otherEnding,
          ...judgeLadder(steps),
          ...(retried !== undefined && { retried }),
        };
      }),
      described: described && {
        target: described.target,
        load: described.load,
        exitCode: described.exitCode,
        messages: described.messages,
      },
    },
  };
}

/**
 * The words by which notes on broken targets are found: in a resumed sweep, those of the earlier result are
 * replaced.
 */
const brokeWords = "nearly nothing succeeded at ";

/** Returns faults of targets without a single success, other than the described one. */
function silentTargets({ targets }: SweepPlan, { ladders, described }: SweepState): SweepFault[] {
  return targets.flatMap(({ name }, index) => {
    const steps = ladders[index]?.steps ?? [];
    if (name === described?.target || steps.length === 0 || steps.some(({ goodRate }) => goodRate > 0))
      return [];
    return [
      { exitCode: exitCodes.thresholdsFailed, messages: [`${name}: no request succeeded at any load`] },
    ];
  });
}

/** Returns faults of targets that served a load before, but almost nothing of it at the end. */
function deadTargets({ targets, loadUnit }: SweepPlan, { ladders }: SweepState): SweepFault[] {
  return targets.flatMap(({ name }, index) => {
    const { steps = [], retried } = ladders[index] ?? {};
    const last = steps.at(-1);
    if (last === undefined || retried === undefined || !hasCollapsed(retried)) return [];
    const [at, again] = [last, retried].map((step) => formatLoad(amountOf(step.load), loadUnit));
    const then = hasCollapsed(last)
      ? `${brokeWords}${at ?? ""}, nor at ${again ?? ""}`
      : `after ${at ?? ""}, ${brokeWords}${again ?? ""}`;
    const message = `${whose(targets, name)}the target went down: ${then}, which it had served before${causeOf(retried)}`;
    return [{ exitCode: exitCodes.thresholdsFailed, messages: [message] }];
  });
}

/**
 * Returns notes on targets that broke under a load, but did not stay down: a finding of the sweep, not its
 * failure.
 */
function brokenTargets({ targets, loadUnit }: SweepPlan, { ladders }: SweepState): string[] {
  return targets.flatMap(({ name }, index) => {
    const { steps = [], retried } = ladders[index] ?? {};
    const last = steps.at(-1);
    if (last === undefined || !hasCollapsed(last) || steps.every(hasCollapsed)) return [];
    if (retried !== undefined && hasCollapsed(retried)) return [];
    const recovered =
      retried === undefined
        ? ""
        : `; afterwards, it served ${formatLoad(amountOf(retried.load), loadUnit)} again`;
    return [
      `${whose(targets, name)}${brokeWords}${formatLoad(amountOf(last.load), loadUnit)}${causeOf(last)}${recovered}`,
    ];
  });
}

function whose(targets: SweepPlan["targets"], name: string): string {
  return targets.length === 1 ? "" : `${name}: `;
}

function causeOf({ errors: [first] }: TrialResult): string {
  return first === undefined ? "" : ` (${first.code})`;
}
