import type { Verdict } from "@bearhug/sdk";
import { capMessage } from "@bearhug/sdk/internal";
import { chooseExitCode, exitCodes, verdictOf, type ExitCode } from "@bearhug/text/exit-codes";

import { brokenChecks } from "./broken-checks.ts";
import {
  abortedByTest,
  incompleteMerge,
  interruptedLoad,
  killedProcess,
  lostWorkers,
  receivedEnough,
  signalledTeardown,
} from "./cut-short.ts";
import { droppedSome, droppedTooMany, lostVuTime } from "./dropped-too-many.ts";
import type { Ending, Reason, Rule } from "./ending.ts";
import { failedTooMany } from "./failed-too-many.ts";
import { failedStages, failedStageRequests } from "./failed-stages.ts";
import { failedThresholds, unanswerableThresholds } from "./failed-thresholds.ts";
import { goneAtEnd, namesThatNeverSucceeded, neverSucceeded, variantOutages } from "./unavailable-targets.ts";
import { saturatedGenerator } from "./saturated-generator.ts";
import { lateStart, unjudgedShard } from "./shards.ts";
import { noIterations, noRequests, nothingCompleted, someThrew, usedUpFeeds } from "./load-iterations.ts";
import {
  scatteredNames,
  lostRequests,
  mostlyUnknown,
  nothingMeasured,
  nothingSucceeded,
} from "./load-requests.ts";
import { strayErrors, unfiredTimers } from "./thrown-errors.ts";

export interface Verdicts {
  readonly verdict: Verdict;
  readonly exitCode: ExitCode;
  /** Every reason for an exit code other than 0. */
  readonly messages: readonly string[];
  /** Every reason that asks for exit code 0. */
  readonly notes: readonly string[];
  /** Parts of the load that are missing, where that was allowed; absent for a whole one. */
  readonly partial?: readonly string[];
}

/** Rules about one machine: they also hold for a shard. In the order of their messages. */
const rulesOfMachine: readonly Rule[] = [
  failedStages,
  killedProcess,
  lostWorkers,
  incompleteMerge,
  lateStart,
  lostRequests,
  interruptedLoad,
  signalledTeardown,
  failedStageRequests,
  abortedByTest,
];

/** Rules about the load generator. They come last, so that a dead target stands before a busy machine. They hold for a shard, too. */
const rulesOfGenerator: readonly Rule[] = [saturatedGenerator, unjudgedGenerator];

/** Rules about the load, which only a whole run can answer. The exit code does not depend on their order. */
const rulesOfLoad: readonly Rule[] = [
  failedThresholds,
  unanswerableThresholds,
  brokenChecks,
  nothingSucceeded,
  mostlyUnknown,
  variantOutages,
  nothingMeasured,
  nothingCompleted,
  strayErrors,
  noIterations,
  noRequests,
  neverSucceeded,
  goneAtEnd,
  lostVuTime,
  droppedTooMany,
  failedTooMany,
  unfollowedRedirect,
  namesThatNeverSucceeded,
  droppedSome,
  someThrew,
  unfiredTimers,
  usedUpFeeds,
  scatteredNames,
  receivedEnough,
];

/** The verdict and exit code of a run. Where several rules hold, it has the messages of all. */
export function decideVerdict(ending: Ending): Verdicts {
  const rules = ending.shard === null ? rulesOfLoad : [unjudgedShard, receivedEnough];
  const reasons = [...rulesOfMachine, ...rules, ...rulesOfGenerator].flatMap((rule) => rule(ending));
  const exitCode = chooseExitCode(reasons.map(({ code }) => code));
  const messagesOf = (isMeant: (reason: Reason) => boolean): string[] =>
    reasons.filter(isMeant).map(({ message }) => capMessage(message));
  const partial = messagesOf(({ isAcceptedGap = false }) => isAcceptedGap);
  return {
    exitCode,
    verdict: verdictOf(exitCode),
    messages: messagesOf(({ code }) => code !== exitCodes.passed),
    notes: messagesOf(({ code, isAcceptedGap = false }) => code === exitCodes.passed && !isAcceptedGap),
    ...(partial.length === 0 ? {} : { partial }),
  };
}

/** A note of where a one-liner was redirected: it measured the redirect, and its user may have meant the page behind it. */
function unfollowedRedirect({ firstRedirect }: Ending): Reason[] {
  if (firstRedirect === null) return [];
  const { name, status, location } = firstRedirect;
  const message = `${name} redirects to ${location} (status ${status}), which was not followed. To load that page, give its address`;
  return [{ code: exitCodes.passed, message }];
}

/** The message for `--strict-generator` after a run too short to judge the generator. */
function unjudgedGenerator({ isStrictGenerator, isGeneratorJudged }: Ending): Reason[] {
  if (!isStrictGenerator || isGeneratorJudged) return [];
  const message = "the run was too short to judge the load generator, which takes at least 2 s";
  return [{ code: exitCodes.passed, message }];
}
