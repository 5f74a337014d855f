import type { TestResult } from "@bearhug/sdk";
import type { SweepEnding } from "@bearhug/sdk/internal";

import { chooseExitCode, exitCodes, type ExitCode } from "../../exit-codes.ts";
import { formatLoad } from "../../format/load.ts";
import { verdictOf } from "../../outcome/verdict/decide-verdict.ts";
import { judgeLadder } from "./judge-ladder.ts";
import { loadOf, type SweepPlan, type SweepState } from "./ladders.ts";

/** Something besides the described step that decides the exit code of a sweep, with its reasons. */
export interface SweepFault {
  readonly exitCode: ExitCode;
  readonly messages: readonly string[];
}

/** The inputs of a sweep's document. */
export interface ComposedSweep {
  readonly plan: SweepPlan;
  readonly state: SweepState;
  /** The run that is described where no step was measured to its end. */
  readonly lastRun: TestResult;
  readonly faults: readonly SweepFault[];
  /** The ending of ladders that had no other. */
  readonly otherEnding: SweepEnding;
}

/** The result document of a sweep: that of its best step, with the figures of all. */
export function composeSweep({ plan, state, lastRun, faults, otherEnding }: ComposedSweep): TestResult {
  const { described, ladders } = state;
  const { loadUnit, loads, settleMs, measureMs, conditions, targets } = plan;
  // If no step came to its end, the faults say why.
  const own = described ?? (faults.length > 0 ? { exitCode: 0, messages: [] } : lastRun);
  const told = [...faults, ...silentTargets(plan, state)];
  const exitCode = chooseExitCode([codeOf(own.exitCode), ...told.map((fault) => fault.exitCode)]);
  const messages = [...own.messages, ...told.flatMap((fault) => fault.messages)];
  const run = described?.result ?? lastRun;
  return {
    ...run,
    notes: [...run.notes.filter((note) => !note.endsWith(downWords)), ...deadTargets(plan, state)],
    verdict: verdictOf(exitCode),
    exitCode,
    messages: [...new Set(messages)],
    sweep: {
      ...{ loadUnit, loads, settleMs, measureMs, conditions },
      targets: targets.map(({ name, address }, index) => {
        const { steps = [], ending = null } = ladders[index] ?? {};
        return { name, address, steps, ending: ending ?? otherEnding, ...judgeLadder(steps) };
      }),
      described: described && {
        ...{ target: described.target, load: described.load },
        ...{ exitCode: described.exitCode, messages: described.messages },
      },
    },
  };
}

/** Targets without a single success, other than the described one. */
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

const downWords = "the target may be down";

/** Notes on targets that served some load, and then none: a finding of the sweep, not its failure. */
function deadTargets({ targets, loadUnit }: SweepPlan, { ladders }: SweepState): string[] {
  return targets.flatMap(({ name }, index) => {
    const steps = ladders[index]?.steps ?? [];
    const last = steps.at(-1);
    if (last === undefined || last.goodRate > 0 || steps.every(({ goodRate }) => goodRate === 0)) return [];
    const whose = targets.length === 1 ? "" : `${name}: `;
    return [`${whose}no request succeeded at ${formatLoad(loadOf(last), loadUnit)}: ${downWords}`];
  });
}

/** @throws {TypeError} for a number that is no exit code of a run */
function codeOf(exitCode: number): ExitCode {
  const found = Object.values(exitCodes).find((code) => code === exitCode);
  if (found === undefined) throw new TypeError(`${exitCode} is no exit code of a run`);
  return found;
}
