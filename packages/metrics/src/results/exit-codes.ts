import type { TestResult, Verdict } from "@bearhug/sdk";

/** The exit codes of the process. Values are k6's if k6 has one. */
export const exitCodes = {
  passed: 0,
  bug: 1,
  thresholdsFailed: 99,
  invalidInput: 104,
  interrupted: 105,
  testThrew: 107,
  abortedByTest: 108,
  workerLost: 109,
  reportNotWritten: 111,
  generatorSaturated: 112,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** If several apply, the first of these is the process's exit code. All are reported. */
const precedence: readonly ExitCode[] = [1, 104, 107, 109, 105, 108, 112, 99, 111];

/**
 * Reads a number that may come from a saved result or another process; null if it is none of
 * bearhug's exit codes.
 */
export function readExitCode(code: number): ExitCode | null {
  return Object.values(exitCodes).find((one) => one === code) ?? null;
}

/**
 * Returns the exit code for all conditions that held at the end of a run; 0 if none did. An unknown
 * code counts as a bug.
 */
export function chooseExitCode(held: Iterable<number>): ExitCode {
  const codes = new Set(Array.from(held, (code) => readExitCode(code) ?? exitCodes.bug));
  return precedence.find((code) => codes.has(code)) ?? exitCodes.passed;
}

/** Returns the verdict that goes with an exit code. */
export function verdictOf(exitCode: ExitCode): Verdict {
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

/** A condition that held at the end of a run. */
export interface EndCondition {
  readonly code: number;
  readonly message: string;
}

/** Adds further conditions to a result. Its exit code and verdict are those of all conditions together. */
export function withReasons(
  result: TestResult,
  reasons: readonly EndCondition[],
): TestResult & { readonly exitCode: ExitCode } {
  const exitCode = chooseExitCode([result.exitCode, ...reasons.map(({ code }) => code)]);
  const messages = [...result.messages, ...reasons.map(({ message }) => message)];
  return { ...result, exitCode, verdict: verdictOf(exitCode), messages };
}
