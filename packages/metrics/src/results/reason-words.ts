import type { ThresholdResult } from "@bearhug/sdk";

/*
 * The words by which reports recognise reasons. A saved result contains only the texts of its reasons, so
 * these words are defined here once, for the code that writes such a reason and for the code that
 * recognises it.
 */

export const requestsFailedWords = "of requests failed";
export const generatorSaturated = "the load generator was saturated";
/** The beginnings of reasons why a load ended early: by a threshold, or by a limit of the run. */
export const endedByThreshold = "ended early when ";
export const endedByLimit = "ended early: ";
/** The words after the name of a login page at which requests ended. */
export const loginPageWords = ", which looks like a login page";
/** The words after a share that is over its limit. */
export const limitWords = ". The limit is ";

/** True if one of the reasons contains these words, which are in lower case. */
export function isMentioned(words: string, reasons: readonly string[]): boolean {
  return reasons.some((reason) => reason.toLowerCase().includes(words));
}

const failedWords = "threshold failed: ";

/** Returns the beginning of the reason for a threshold that failed. */
export function describeFailed({ metric, expression }: ThresholdResult): string {
  return `${failedWords}${metric}: ${expression} (`;
}

/** Returns the beginning of the reason for a threshold whose samples were merged with others. */
export function describeNotEvaluated(metric: string): string {
  return `threshold ${metric} could not be evaluated`;
}

/** True for the reason of any threshold that failed. */
export function isThresholdFailure(reason: string): boolean {
  return reason.startsWith(failedWords);
}

/** Returns a reason for a column of reasons: that of a threshold begins with its metric. */
export function shortReason(reason: string): string {
  return isThresholdFailure(reason) ? reason.slice(failedWords.length) : reason;
}

/** True for the reason of this threshold. */
export function isReasonFor(threshold: ThresholdResult, reason: string): boolean {
  const beginnings = [describeFailed(threshold), describeNotEvaluated(threshold.metric)];
  return beginnings.some((beginning) => reason.startsWith(beginning));
}
