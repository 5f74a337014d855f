import type { TestResult } from "@bearhug/sdk";
import type { SweepEnding } from "@bearhug/sdk/internal";

import { chooseExitCode, exitCodes, type ExitCode } from "../../exit-codes.ts";
import { verdictOf } from "../../outcome/verdict/decide-verdict.ts";
import { judgeLadder } from "./judge-ladder.ts";
import type { SweepPlan, SweepState } from "./ladders.ts";

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
  const { loadUnit, loads, settleMs, measureMs, targets } = plan;
  // If no step came to its end, the faults say why.
  const own = described ?? (faults.length > 0 ? { exitCode: 0, messages: [] } : lastRun);
  const exitCode = chooseExitCode([codeOf(own.exitCode), ...faults.map((fault) => fault.exitCode)]);
  const messages = [...own.messages, ...faults.flatMap((fault) => fault.messages)];
  return {
    ...(described?.result ?? lastRun),
    verdict: verdictOf(exitCode),
    exitCode,
    messages: [...new Set(messages)],
    sweep: {
      ...{ loadUnit, loads, settleMs, measureMs },
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

/** @throws {TypeError} for a number that is no exit code of a run */
function codeOf(exitCode: number): ExitCode {
  const found = Object.values(exitCodes).find((code) => code === exitCode);
  if (found === undefined) throw new TypeError(`${exitCode} is no exit code of a run`);
  return found;
}
