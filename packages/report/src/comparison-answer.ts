import { exitCodes } from "@bearhug/metrics/results/exit-codes";
import type { TestResult } from "@bearhug/sdk";

import { hasUnjudgedFailures } from "./unjudged-failures.ts";
import { answerWords } from "./model/comparison.ts";

/** The prefix of a run's reasons that come from its comparison. */
export const comparisonPrefix = "compared with the base: ";

/** The answer of a command that compares or searches, as reports show it. */
export type AnswerWord = (typeof answerWords)[keyof typeof answerWords];

type HasAnswer = Pick<TestResult, "verdict" | "comparison" | "capacity">;

/**
 * Returns the answer that heads the report: that of a comparison of targets that took turns, or any that is
 * undecided. Null if the verdict heads it.
 */
export function answerOf({ verdict, comparison, capacity }: HasAnswer): AnswerWord | null {
  if (verdict === "passed" && capacity?.answer === "undecided") return answerWords.undecided;
  if (comparison === undefined) return null;
  const { verdict: answer, sides, exitCode } = comparison;
  if (verdict === "passed" && (sides === "turns" || answer === "undecided")) return answerWords[answer];
  return verdict === "failed" && sides === "turns" && exitCode !== 0 ? answerWords[answer] : null;
}

/** Returns the reasons for a comparison's answer that are not reasons for the verdict. */
export function answerReasons({ verdict, comparison }: TestResult): string[] {
  if (comparison === undefined || verdict !== "passed") return [];
  if (comparison.sides === "turns" || comparison.verdict === "undecided") return [...comparison.messages];
  return [`${comparisonPrefix}${answerWords[comparison.verdict]}`];
}

/** Removes the prefix that says that a reason is about the comparison: below the answer it is redundant. */
export function withoutPrefix(messages: readonly string[]): string[] {
  return messages.map((text) =>
    text.startsWith(comparisonPrefix) ? text.slice(comparisonPrefix.length) : text,
  );
}

/** The sign that reports show with an outcome. */
export type OutcomeSign = "passed" | "failed" | "warning" | "unknown";

/**
 * Returns the sign that precedes the outcome of a result: a tick only if the result is complete and nothing
 * is wrong.
 */
export function signOf(result: TestResult): OutcomeSign {
  if (answerOf(result) === answerWords.undecided) return "unknown";
  if (result.verdict !== "passed") return "failed";
  if (result.capacity?.answer === "not-met-at-lowest") return "warning";
  const isSaturated = result.sweep === undefined && result.generator.verdict === "saturated";
  const isUnwritten = result.exitCode === exitCodes.reportNotWritten;
  const isDoubtful =
    result.partial !== undefined || isSaturated || isUnwritten || hasUnjudgedFailures(result);
  return isDoubtful ? "warning" : "passed";
}
