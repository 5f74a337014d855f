import type { TestResult } from "@bearhug/sdk";
import { exitCodes } from "@bearhug/text/exit-codes";

import { hasUnjudgedFailures } from "./unjudged-failures.ts";
import { answerWords } from "./model/comparison.ts";

/** The beginning of a run's reason that its comparison gave. */
export const comparedWords = "compared with the base: ";

/** The answers of commands that answer a question. */
export type AnswerWord = (typeof answerWords)[keyof typeof answerWords];

type Answered = Pick<TestResult, "verdict" | "comparison" | "capacity">;

/**
 * The answer that heads the report: that of two targets that took turns, and any that is undecided. Null where the verdict
 * heads it.
 */
export function answerOf({ verdict, comparison, capacity }: Answered): AnswerWord | null {
  if (verdict === "passed" && capacity?.answer === "undecided") return answerWords.undecided;
  if (comparison === undefined) return null;
  const { verdict: answer, sides, exitCode } = comparison;
  if (verdict === "passed" && (sides === "turns" || answer === "undecided")) return answerWords[answer];
  return verdict === "failed" && sides === "turns" && exitCode !== 0 ? answerWords[answer] : null;
}

/** The reasons for an answer that are no reasons of the verdict. */
export function answerReasons({ verdict, comparison }: TestResult): string[] {
  if (comparison === undefined || verdict !== "passed") return [];
  if (comparison.sides === "turns" || comparison.verdict === "undecided") return [...comparison.messages];
  return [`${comparedWords}${answerWords[comparison.verdict]}`];
}

/** Under an answer, its reasons need no words that say what they are about. */
export function withoutPrefix(messages: readonly string[]): string[] {
  return messages.map((text) => (text.startsWith(comparedWords) ? text.slice(comparedWords.length) : text));
}

/** The sign of an outcome. */
export type OutcomeSign = "passed" | "failed" | "warning" | "unknown";

/** The sign that stands before the outcome of a result: a tick only before what is complete, and nothing wrong. */
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
