import type { Accounting, ThresholdResult, Verdict, WorkerResult } from "@bearhug/sdk";

import type { TeardownSignal } from "../protocol/recording.ts";
import { chooseExitCode, exitCodes, type ExitCode } from "../exit-codes.ts";

/** What decides how a run ended. */
export interface Ending {
  readonly thresholds: readonly ThresholdResult[];
  readonly accounting: Accounting;
  readonly workers: readonly Pick<WorkerResult, "id" | "lost">[];
  /** Thresholds whose samples could not be told apart, each with a sentence. */
  readonly unanswerable: readonly string[];
  /** What the module, setup or teardown threw. */
  readonly failures: readonly string[];
  /** The signal that ended the load; null for none. */
  readonly interruptedBy: string | null;
  readonly teardownSignal: TeardownSignal | null;
  /** How far the load had come when the process was killed; null where it was not. */
  readonly killed: { readonly afterMs: number; readonly isLoadOver: boolean } | null;
  /** What `abort` was told; null where it was not called. */
  readonly abortReason: string | null;
  /** As much was received as the user allowed: no fault, but the load was shorter than planned. */
  readonly hasReceivedEnough: boolean;
  readonly isGeneratorSaturated: boolean;
  readonly isStrictGenerator: boolean;
}

export interface Verdicts {
  readonly verdict: Verdict;
  readonly exitCode: ExitCode;
  /** Why, everything that held. */
  readonly messages: readonly string[];
}

/** The verdict and exit code of a run. Where several things hold, all are said. */
export function decideVerdict(ending: Ending): Verdicts {
  const held: { readonly code: ExitCode; readonly message: string }[] = [
    ...ending.failures.map((message) => ({ code: exitCodes.testThrew, message })),
    ...killedProcess(ending),
    ...lostWorkers(ending),
    ...lostRequests(ending),
    ...(ending.interruptedBy === null
      ? []
      : [
          {
            code: exitCodes.interrupted,
            message: `interrupted by ${ending.interruptedBy}: thresholds were not judged`,
          },
        ]),
    ...signalledTeardown(ending),
    ...(ending.abortReason === null
      ? []
      : [{ code: exitCodes.abortedByTest, message: `aborted by the test: ${ending.abortReason}` }]),
    ...(ending.isStrictGenerator && ending.isGeneratorSaturated
      ? [
          {
            code: exitCodes.generatorSaturated,
            message: "the load generator was saturated: it measured itself",
          },
        ]
      : []),
    ...failedThresholds(ending),
    ...ending.unanswerable.map((message) => ({ code: exitCodes.thresholdsFailed, message })),
    ...nothingSucceeded(ending),
    ...nothingMeasured(ending),
    ...(ending.hasReceivedEnough
      ? [{ code: exitCodes.passed, message: "ended early: as much was received as --max-data allows" }]
      : []),
  ];
  const exitCode = chooseExitCode(held.map(({ code }) => code));
  return { exitCode, verdict: verdictOf(exitCode), messages: held.map(({ message }) => message) };
}

/** The verdict that goes with an exit code. */
function verdictOf(exitCode: ExitCode): Verdict {
  switch (exitCode) {
    case exitCodes.passed:
    case exitCodes.reportNotWritten:
      return "passed";
    case exitCodes.thresholdsFailed:
    case exitCodes.generatorSaturated:
      return "failed";
    case exitCodes.abortedByTest:
      return "aborted";
    case exitCodes.interrupted:
      return "interrupted";
    case exitCodes.bug:
    case exitCodes.invalidInput:
    case exitCodes.testThrew:
    case exitCodes.workerLost:
      return "errored";
  }
}

/** Why a worker was lost that had nothing to do with it; said once, for the process. */
export const killedWithProcess = "killed with the process";

function killedProcess({
  killed,
  interruptedBy,
  abortReason,
}: Ending): { code: ExitCode; message: string }[] {
  if (killed === null) return [];
  if (killed.isLoadOver) {
    const isComplete = interruptedBy === null && abortReason === null;
    const message = `the run was killed in teardown: the load ${isComplete ? "was complete" : "had ended"}`;
    return [{ code: exitCodes.workerLost, message }];
  }
  const when =
    killed.afterMs === 0
      ? "before anything was measured"
      : `after ${(killed.afterMs / 1000).toFixed(0)} s of load`;
  const message = `the run was killed ${when}: this is what it had recorded; thresholds were not judged`;
  return [{ code: exitCodes.workerLost, message }];
}

/** A load that was complete is judged. A run whose teardown was cut off was not complete, whatever the load came to. */
function signalledTeardown({ teardownSignal, interruptedBy }: Ending): { code: ExitCode; message: string }[] {
  if (teardownSignal === null) return [];
  const { signal, hasCutOff } = teardownSignal;
  if (!hasCutOff) {
    const message = `${signal} came when the load was over: teardown went on to its end`;
    return [{ code: exitCodes.passed, message }];
  }
  const message =
    interruptedBy === null
      ? `interrupted by ${signal} in teardown, which did not end: the load was over`
      : "a second signal came: teardown did not end";
  return [{ code: exitCodes.interrupted, message }];
}

function lostWorkers({ workers }: Ending): { code: ExitCode; message: string }[] {
  return workers.flatMap(({ id, lost }) =>
    lost === null || lost === killedWithProcess
      ? []
      : [{ code: exitCodes.workerLost, message: `worker ${id} was lost: ${lost}` }],
  );
}

/** Every request that a worker starts ends in one of its counts, unless the worker dies. */
function lostRequests(ending: Ending): { code: ExitCode; message: string }[] {
  const { accounting, workers, killed, interruptedBy, abortReason } = ending;
  const lost = accounting.requests.reduce((sum, row) => sum + row.lost, 0);
  const isCutShort = killed !== null || interruptedBy !== null || abortReason !== null;
  if (lost === 0 || isCutShort || workers.some((worker) => worker.lost !== null)) return [];
  const requests = lost === 1 ? "1 request was started and" : `${lost} requests were started and`;
  return [{ code: exitCodes.bug, message: `${requests} never ended: a bug in bearhug, please report it` }];
}

function failedThresholds({ thresholds }: Ending): { code: ExitCode; message: string }[] {
  // One that failed although samples arrived, but without a value, could not be judged, which is said apart.
  const failed = thresholds.filter(
    ({ passed, actual, samples }) => passed === false && (actual !== null || samples === 0),
  );
  return failed.map(({ metric, expression, actual, unit, window }) => {
    const was =
      actual === null
        ? "no sample arrived"
        : `was ${roundFor(actual)}${unit === "ms" ? " ms" : ""}${describeWindow(window)}`;
    return {
      code: exitCodes.thresholdsFailed,
      message: `threshold failed: ${metric}: ${expression} (${was})`,
    };
  });
}

/** Nothing where the whole run was judged, for want of a full window too. */
function describeWindow(window: ThresholdResult["window"]): string {
  if (typeof window?.failedAtMs !== "number" || window.failedAtMs < window.widthMs) return "";
  const [widthS, failedAtS] = [window.widthMs, window.failedAtMs].map((ms) => Number((ms / 1000).toFixed(1)));
  return ` in the ${widthS} s up to ${failedAtS} s`;
}

function nothingSucceeded({ accounting }: Ending): { code: ExitCode; message: string }[] {
  const made = accounting.requests.reduce((sum, { succeeded, failed }) => sum + succeeded + failed, 0);
  const succeeded = accounting.requests.reduce((sum, request) => sum + request.succeeded, 0);
  if (made === 0 || succeeded > 0) return [];
  return [{ code: exitCodes.thresholdsFailed, message: `not one of ${made} requests succeeded` }];
}

/** A load that was over before its warm-up was says nothing about the target. Who ended it early knows. */
function nothingMeasured(ending: Ending): { code: ExitCode; message: string }[] {
  const { accounting, interruptedBy, killed, abortReason } = ending;
  const { warmup, iterations } = accounting;
  const wasEnded = interruptedBy !== null || killed?.isLoadOver === false || abortReason !== null;
  if (wasEnded || warmup === null || warmup.iterations.started === 0 || iterations.scheduled > 0) return [];
  const message = "nothing was measured: the load was over within its warm-up";
  return [{ code: exitCodes.thresholdsFailed, message }];
}

/** Enough digits to tell the value from the bound, and no more. */
function roundFor(value: number): string {
  return String(Number(value.toPrecision(6)));
}
