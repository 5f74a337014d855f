import {
  generatorSaturated,
  isReasonFor,
  isMentioned,
  requestsFailedWords,
} from "@bearhug/metrics/results/reason-words";
import { metricOfKey } from "@bearhug/metrics/thresholds/threshold-value";
import type { TestResult, Verdict } from "@bearhug/sdk";
import { codesOfSuccess } from "@bearhug/sdk/internal";
import { formatCount } from "@bearhug/text/number";
import { formatPercent } from "@bearhug/text/percent";

import { byCount } from "./model/errors.ts";
import { stepsOf } from "./model/checks.ts";
import { checksThatNeverPassed, hasUnjudgedFailures, wasPreparedInVain } from "./unjudged-failures.ts";
import { answerOf, answerReasons, withoutPrefix, type AnswerWord } from "./comparison-answer.ts";

/** The outcome of a run, as reports word it. */
export type Outcome = Verdict | "completed" | "passed, but partial" | "completed, but partial" | AnswerWord;

/**
 * Returns the verdict, as reports word it. A run that passed without a threshold has only completed, and so
 * has a shard; it is partial if a part of the load is missing. The answer of a comparison or a search
 * replaces the verdict.
 */
export function outcomeOf(result: TestResult): Outcome {
  const { verdict, thresholds, shard, partial } = result;
  const answer = answerOf(result);
  if (answer !== null) return answer;
  if (verdict !== "passed") return verdict;
  const outcome = thresholds.length === 0 || shard !== null ? "completed" : "passed";
  return partial === undefined ? outcome : `${outcome}, but partial`;
}

/**
 * Returns the messages and notes of the result, and explanations of its figures: failing requests, a
 * saturated generator, busy servers. If none of them mentions thresholds, a count of thresholds is added.
 */
export function reasonsOf(result: TestResult): string[] {
  // A sweep and a search overload the target on purpose, and the figures of the result are those of one step.
  const isSingle = result.sweep === undefined && result.capacity === undefined;
  const explained = isSingle
    ? [
        ...describeChecks(result),
        ...describeFailures(result),
        ...describeSaturation(result),
        ...describeAttribution(result),
      ]
    : [];
  // The headline of a run that passed without a part of its load says "partial": the missing part comes next.
  const missing = result.verdict === "passed" ? (result.partial ?? []) : [];
  // If a run passed without a tick, the cause comes first.
  const isDoubtful = hasUnjudgedFailures(result) || (isSingle && result.generator.verdict === "saturated");
  // Failed requests of setup and vuState are in the notes already.
  return isDoubtful && result.verdict === "passed" && !wasPreparedInVain(result)
    ? [...answerReasons(result), ...missing, ...explained, ...verdictReasons(result)]
    : [...answerReasons(result), ...missing, ...verdictReasons(result), ...explained];
}

/**
 * Below this share, failures appear only in the table of errors, unless a threshold failed because of them,
 * or they cost the run its tick.
 */
const notedFailureRate = 0.01;

function describeFailures(result: TestResult): string[] {
  const { metrics, errors, thresholds, messages } = result;
  const failed = metrics["http_req_failed"];
  if (failed?.type !== "rate" || failed.values.passes === 0) return [];
  const judging = thresholds.filter(
    ({ metric, passed }) => passed === false && metricOfKey(metric) === "http_req_failed",
  );
  const isDoubtful = result.verdict === "passed" && hasUnjudgedFailures(result);
  if (failed.values.rate < notedFailureRate && judging.length === 0 && !isDoubtful) return [];
  // A message already reports them, with their code.
  if (failed.values.fails === 0 || isMentioned(requestsFailedWords, messages)) return [];
  // Errors of the test's own code have no origin.
  const [first] = errors
    .filter(({ code, origin }) => origin !== undefined && !codesOfSuccess.has(code))
    .sort(byCount);
  // splitReason() takes further lines for source code.
  const most = first === undefined ? null : `${first.code} in ${first.name}`.replaceAll(/[\r\n]+/g, " ");
  // The message about the threshold already states the share.
  const judgingWholeRun = judging.filter(
    ({ metric, window }) => metric === "http_req_failed" && window === null,
  );
  if (judgingWholeRun.some((threshold) => messages.some((message) => isReasonFor(threshold, message))))
    return most === null ? [] : [`requests failed most often with ${most}`];
  return [
    `${formatPercent(failed.values.rate)} ${requestsFailedWords}${most === null ? "" : `, most often with ${most}`}`,
  ];
}

/** A run that failed has other reasons, and its table of checks shows these. */
function describeChecks(result: TestResult): string[] {
  const [first, ...others] = checksThatNeverPassed(result);
  if (first === undefined || result.verdict !== "passed" || !hasUnjudgedFailures(result)) return [];
  // splitReason() takes further lines for source code.
  const name = first.name.replaceAll(/[\r\n]+/g, " ");
  const times =
    first.fails === 1 ? "in its only evaluation" : `in all ${formatCount(first.fails)} evaluations`;
  const more = others.length === 0 ? "" : `, and ${formatCount(others.length)} more never passed`;
  const [step] = stepsOf(first);
  const place = step === undefined ? "" : ` in ${first.page === null ? "group" : "page"} ${step}`;
  return [`check "${name}"${place} failed ${times}${more}`];
}

function describeSaturation({ generator, messages }: TestResult): string[] {
  if (generator.verdict !== "saturated" || isMentioned(generatorSaturated, messages)) return [];
  return [`${generatorSaturated}: the times measure it as much as the target`];
}

function describeAttribution({ attribution }: TestResult): string[] {
  return attribution === undefined ? [] : [attribution];
}

function verdictReasons(result: TestResult): string[] {
  const { verdict, messages: decisive, notes, partial = [], thresholds } = result;
  const missing = verdict === "passed" ? [] : partial.map((reason) => `partial: ${reason}`);
  const answer = answerOf(result);
  const messages = [...(answer === null ? decisive : withoutPrefix(decisive)), ...missing, ...notes];
  if (answer !== null && thresholds.length === 0) return messages;
  const counted = isMentioned("threshold", messages) ? undefined : countThresholds(thresholds);
  if (counted === undefined) return messages;
  if (thresholds.some(({ passed }) => passed === false)) return [counted, ...messages];
  return thresholds.length === 0 && messages.length > 0 ? messages : [...messages, counted];
}

function countThresholds(thresholds: TestResult["thresholds"]): string | undefined {
  const failed = thresholds.filter(({ passed }) => passed === false).length;
  const judged = thresholds.filter(({ passed }) => passed !== null).length;
  const plural = thresholds.length === 1 ? "threshold" : "thresholds";
  if (failed > 0) return `${formatCount(failed)} of ${formatCount(thresholds.length)} ${plural} failed`;
  if (thresholds.length === 0) return "no thresholds defined";
  if (judged < thresholds.length) return undefined;
  return thresholds.length === 1
    ? "the threshold held"
    : `all ${formatCount(thresholds.length)} thresholds held`;
}

/** Splits a reason into its sentence and the lines of the test's source below it. */
export function splitReason(reason: string): { readonly text: string; readonly frame: string } {
  const [text = "", ...frame] = reason.split("\n");
  return { text, frame: frame.join("\n") };
}

/** Joins an outcome and a reason: "failed: no request succeeded", but "interrupted by SIGINT". */
export function sentence(outcome: Outcome, reason: string): string {
  if (reason === outcome || reason.startsWith(`${outcome} `) || reason.startsWith(`${outcome}: `))
    return reason;
  return `${outcome}: ${reason}`;
}

/** Returns the reasons for the verdict that are not about thresholds, such as "no request succeeded". */
export function reasonsBesideThresholds({ messages, thresholds }: TestResult): string[] {
  const failed = thresholds.filter(({ passed }) => passed === false);
  return messages.filter((message) => !failed.some((threshold) => isReasonFor(threshold, message)));
}
