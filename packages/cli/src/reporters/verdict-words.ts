import type { TestResult, ThresholdResult, Verdict } from "@bearhug/sdk";

import { formatCount } from "../format/number.ts";
import { describeUnanswerable } from "../format/threshold-value.ts";

/** The outcome of a run in words for people. */
export type Outcome = Verdict | "completed";

/** The verdict as people read it: a run that passed without a threshold has only completed. */
export function outcomeOf({ verdict, thresholds }: TestResult): Outcome {
  return verdict === "passed" && thresholds.length === 0 ? "completed" : verdict;
}

/** The messages and notes of the result. If none is about thresholds, a count of them is added. */
export function reasonsOf({ messages: decisive, notes, thresholds }: TestResult): string[] {
  const messages = [...decisive, ...notes];
  const hasSaid = messages.some((message) => /threshold/i.test(message));
  const counted = hasSaid ? undefined : countThresholds(thresholds);
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

/** A reason is a sentence, and may have lines of the test's source below it. */
export function splitReason(reason: string): { readonly text: string; readonly frame: string } {
  const [text = "", ...frame] = reason.split("\n");
  return { text, frame: frame.join("\n") };
}

/** "failed: no request succeeded", but "interrupted by SIGINT". */
export function sentence(outcome: Outcome, reason: string): string {
  if (reason === outcome || reason.startsWith(`${outcome} `)) return reason;
  return `${outcome}: ${reason}`;
}

/** The threshold that a reason for the verdict is about; undefined for a reason of another kind. */
function thresholdOf(
  reason: string,
  { thresholds }: Pick<TestResult, "thresholds">,
): ThresholdResult | undefined {
  return thresholds.find(
    ({ metric, expression, passed }) =>
      passed === false &&
      (reason.startsWith(`threshold failed: ${metric}: ${expression} (`) ||
        reason.startsWith(describeUnanswerable(metric))),
  );
}

/** Every reason for the verdict that is no threshold's, such as "no request succeeded". */
export function reasonsBesideThresholds(result: TestResult): string[] {
  return result.messages.filter((message) => thresholdOf(message, result) === undefined);
}
