import type { TestResult } from "@bearhug/sdk";
import type { ComparisonResult } from "@bearhug/sdk/internal";

import { chooseExitCode, exitCodes, type ExitCode } from "../exit-codes.ts";
import { verdictOf } from "../outcome/verdict/decide-verdict.ts";
import { describeSaturated } from "../outcome/verdict/saturated-generator.ts";
import { comparedWords } from "../reporters/answer-words.ts";

/** Adds a comparison to the result of the run that it is about. One that fails, fails the run. */
export function addComparison(result: TestResult, comparison: ComparisonResult): TestResult {
  const reasons = comparison.messages
    .filter((text) => !result.messages.includes(text))
    .map((text) => `${comparedWords}${text}`);
  const added = { ...result, comparison };
  return comparison.exitCode === 0 ? added : withReasons(added, exitCodes.thresholdsFailed, reasons);
}

/** A result that could not be compared, although that was asked for. */
export function addRefusal(result: TestResult, reasons: readonly string[]): TestResult {
  const told = reasons.map((text) => `not compared: ${text}`);
  return withReasons(result, exitCodes.invalidInput, told);
}

/** A run that a saturated generator measured says nothing of the target, and must not pass for being like its baseline. */
export function addSaturation(result: TestResult): TestResult {
  const isJudged = result.verdict === "passed" || result.verdict === "failed";
  const isKnown = result.exitCode === exitCodes.generatorSaturated;
  if (result.generator.verdict !== "saturated" || !isJudged || isKnown) return result;
  return withReasons(result, exitCodes.generatorSaturated, [describeSaturated(false)]);
}

function withReasons(result: TestResult, code: ExitCode, reasons: readonly string[]): TestResult {
  const exitCode = chooseExitCode([result.exitCode, code]);
  return { ...result, exitCode, verdict: verdictOf(exitCode), messages: [...result.messages, ...reasons] };
}
