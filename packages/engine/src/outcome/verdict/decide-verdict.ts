import { chooseExitCode, type ExitCode, exitCodes, verdictOf } from "@bearhug/metrics/results/exit-codes";
import { sumBy } from "@bearhug/metrics/sum";
import type { KnownHttpErrorCode, TestResult, Verdict } from "@bearhug/sdk";
import { minJudgedMs } from "@bearhug/sdk/internal";
import { classifyVuTime, type OddRequests } from "@bearhug/sdk/result";
import { capMessage } from "@bearhug/text/cap-text";
import { formatCounted } from "@bearhug/text/number";

import { brokenChecks } from "./broken-checks.ts";
import {
  abortedByTest,
  abortedByThreshold,
  incompleteMerge,
  interruptedLoad,
  killedProcess,
  lostWorkers,
  reachedLimit,
  signalledTeardown,
} from "./cut-short.ts";
import { droppedSome, droppedTooMany, lostVuTime } from "./dropped-too-many.ts";
import { note, type Ending, type Reason, type Rule } from "./ending.ts";
import { failedTooMany } from "./failed-too-many.ts";
import { failedStageRequests, failedStages } from "./failed-stages.ts";
import { goneAtEnd, namesThatNeverSucceeded, neverSucceeded, variantOutages } from "./unavailable-targets.ts";
import { saturatedGenerator } from "./saturated-generator.ts";
import { lateStart, unjudgedShard } from "./shards.ts";
import { notLoggedIn, unnoticedLogins } from "./not-logged-in.ts";
import {
  noIterations,
  noRequests,
  nothingCompleted,
  nothingFinished,
  someThrew,
  unmeasuredScenarios,
  usedUpFeeds,
} from "./load-iterations.ts";
import {
  lostRequests,
  mostlyUnknown,
  nothingMeasured,
  nothingSucceeded,
  scatteredNames,
} from "./load-requests.ts";
import { unhandledErrors, unfiredTimers } from "./thrown-errors.ts";
import {
  failedThresholds,
  unevaluatedReasons,
  unevaluatedThresholds,
  unreadGauges,
} from "../judge-thresholds.ts";
import type { Run } from "../run.ts";
import { tagsSeen } from "../tags-seen.ts";
import { scenarioOutcomes } from "./scenario-outcomes.ts";
import { targetOutcomes } from "./target-outcomes.ts";

export interface Verdicts {
  readonly verdict: Verdict;
  readonly exitCode: ExitCode;
  /** Every reason for an exit code other than 0. */
  readonly messages: readonly string[];
  /** Every reason with exit code 0. */
  readonly notes: readonly string[];
  /** Missing parts of the load, if these are allowed; absent for a whole load. */
  readonly partial?: readonly string[];
}

/** Rules about one machine, which also apply to a shard. In the order of their messages. */
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
  oddStageRequests,
  abortedByTest,
];

/**
 * Rules about the load generator, which also apply to a shard. They come last, so that a dead target is
 * reported before a busy machine.
 */
const rulesOfGenerator: readonly Rule[] = [saturatedGenerator, unjudgedGenerator];

/** Rules about the load, which only apply to a whole run. The exit code does not depend on their order. */
const rulesOfLoad: readonly Rule[] = [
  failedThresholds,
  unevaluatedThresholds,
  unreadGauges,
  abortedByThreshold,
  brokenChecks,
  nothingSucceeded,
  mostlyUnknown,
  variantOutages,
  nothingMeasured,
  nothingCompleted,
  unhandledErrors,
  noIterations,
  noRequests,
  nothingFinished,
  unmeasuredScenarios,
  neverSucceeded,
  goneAtEnd,
  lostVuTime,
  droppedTooMany,
  failedTooMany,
  unfollowedRedirect,
  notLoggedIn,
  oddRequests,
  namesThatNeverSucceeded,
  droppedSome,
  someThrew,
  unfiredTimers,
  usedUpFeeds,
  scatteredNames,
  reachedLimit,
];

/** Decides the verdict and exit code of a run. Includes the messages of every rule that applies. */
export function decideVerdict(ending: Ending): Verdicts {
  const rules = ending.shard === null ? rulesOfLoad : [unjudgedShard, abortedByThreshold, reachedLimit];
  const reasons = [...rulesOfMachine, ...rules, ...rulesOfGenerator].flatMap((rule) => rule(ending));
  const exitCode = chooseExitCode(reasons.map(({ code }) => code));
  const messagesOf = (matches: (reason: Reason) => boolean): string[] =>
    reasons.filter(matches).map(({ message }) => capMessage(message));
  const partial = messagesOf(({ isAcceptedGap = false }) => isAcceptedGap);
  return {
    exitCode,
    verdict: verdictOf(exitCode),
    messages: messagesOf(({ code }) => code !== exitCodes.passed),
    notes: messagesOf(({ code, isAcceptedGap = false }) => code === exitCodes.passed && !isAcceptedGap),
    ...(partial.length === 0 ? {} : { partial }),
  };
}

/** Notes that a test of one URL measured a redirect, because its user may have meant the page behind it. */
function unfollowedRedirect({ firstRedirect }: Ending): Reason[] {
  if (firstRedirect === null) return [];
  const { name, status, location } = firstRedirect;
  const message = `${name} redirects to ${location} (status ${status}), which was not followed. To load that page, give its address`;
  return [note(message)];
}

/** The notes about errors that fail no request, by their codes. */
const oddities: Readonly<Partial<Record<KnownHttpErrorCode, (found: Oddity) => string>>> = {
  // The load is smaller than the test says.
  UPLOAD_ABORTED: ({ count, where }) =>
    `${count("request")} succeeded before the body was sent (${where}): the target did not receive all of it`,
  // Only a test of URLs finds these: it has no checks.
  BODY_SHRUNK: ({ count, where }) =>
    `${count("response")} of status 200 had at most a tenth of the largest body (${where}): the target may respond with an error page. Look at its log, or check the content in a test (bearhug init)`,
  ERROR_PAGE: ({ count, where, message }) =>
    `${count("request")} ended at an error page with status 200 (${where}): ${message}`,
  FORM_SHOWN_AGAIN: ({ count, where, message }) =>
    `${count("form")} with a password came back with a status of success (${where}; if it is meant so, set expect): ${message}`,
  JSON_ERRORS: ({ count, where, message }) =>
    `${count("response")} with a status of success reported errors in JSON (${where}; if it is meant so, set expect): ${message}`,
  ERROR_HEADER: ({ count, where, message }) =>
    `${count("response")} of status 200 reported a failure in a header (${where}; if it is meant so, set expect): ${message}`,
  LOCATION_MISSING: ({ count, where, message }) =>
    `${count("redirect")} led nowhere (${where}; if it is meant so, set expect): ${message}`,
  BODY_DROPPED: ({ count, isOne, where, message }) =>
    `${count("POST")} became ${isOne ? "a GET" : "GETs"} in a redirect (${where}): ${message}`,
  COOKIE_REJECTED: ({ count, where, message }) =>
    // Each cookie is counted with the first request that lacks it.
    `at least ${count("request")} lacked a cookie that the target had set (${where}): ${message}`,
};

interface Oddity {
  /** Counts them by this noun, and says in which phase they were: "2 requests of setup". */
  readonly count: (noun: string) => string;
  readonly isOne: boolean;
  /** The name that has most of them. */
  readonly where: string;
  /** The first message of that name. */
  readonly message: string;
}

/** Notes what was odd about requests that count as successful. */
function oddRequests({ errors }: Ending): Reason[] {
  return describeOddities(errors, "");
}

/** Notes the same of setup, vuState and teardown, also if they failed later: this may be why. */
function oddStageRequests({ accounting }: Ending): Reason[] {
  return (["setup", "vuState", "teardown"] as const).flatMap((stage) =>
    describeOddities(accounting[stage]?.oddities ?? [], ` of ${stage}`),
  );
}

function describeOddities(all: readonly OddRequests[], ofPhase: string): Reason[] {
  return Object.entries(oddities).flatMap(([code, describe]) => {
    const found = all.filter((odd) => odd.code === code);
    const [first] = found.toSorted((left, right) => right.count - left.count);
    if (first === undefined) return [];
    const { name, message } = first;
    const where = found.length === 1 ? name : `most often ${name}`;
    const sum = sumBy(found, (odd) => odd.count);
    const count = (noun: string): string => `${formatCounted(sum, noun)}${ofPhase}`;
    return [note(describe({ count, isOne: sum === 1, where, message }))];
  });
}

/** Notes, for `--strict-generator`, that the run was too short to judge the generator. */
function unjudgedGenerator({ isStrictGenerator, isGeneratorJudged }: Ending): Reason[] {
  if (!isStrictGenerator || isGeneratorJudged) return [];
  const message = "the run was too short to judge the load generator, which takes at least 2 s";
  return [note(message)];
}

/** The measured parts of a result, on which the verdict is based. */
export type Measured = Pick<
  TestResult,
  | "generator"
  | "accounting"
  | "checks"
  | "thresholds"
  | "metrics"
  | "expectedResponses"
  | "clients"
  | "series"
  | "blockMs"
  | "scenarios"
  | "groups"
  | "pages"
  | "names"
  | "intervals"
  | "errors"
  | "monitors"
  | "variants"
>;

/** Returns the facts that decide the verdict of a run. */
export function describeEnding(run: Run, measured: Measured): Ending {
  const { head, state, collector, isTruncated, damage = null, locate } = run;
  const { generator, checks, thresholds, metrics, monitors, errors } = measured;
  const judged = head.thresholds.map(({ threshold }) => threshold);
  return {
    ...state,
    isTruncated,
    damage,
    thresholds,
    metrics,
    monitors,
    checks,
    errors,
    scenarios: head.plan === null ? [] : scenarioOutcomes(collector.store, head.plan, judged),
    targets: head.plan === null ? [] : targetOutcomes(collector.targets, head.plan, state.startsUntilMs),
    // Only for a test of one URL: a test with a file decides by itself if it follows redirects.
    firstRedirect: head.file === null ? collector.targets.firstRedirect : null,
    sentToLogin: unnoticedLogins(collector.store, collector.logins),
    judging: head.plan?.judging ?? {},
    isOverload: head.plan?.overload !== undefined,
    classifyVuTime: (scenario) => classifyVuTime(measured, scenario),
    variants: measured.variants ?? null,
    feedEnds: feedEndsOf(head.plan),
    tagsSeen: (metric) => tagsSeen(collector.store, metric),
    unevaluated: unevaluatedReasons(run),
    locate,
    isGeneratorSaturated: generator.verdict === "saturated",
    generatorReasons: generator.reasons,
    isStrictGenerator: head.isStrictGenerator,
    allowsPartial: head.allowsPartial,
    shard: head.shard,
    isGeneratorJudged: state.durationMs >= minJudgedMs,
  };
}

function feedEndsOf(plan: Run["head"]["plan"]): Ending["feedEnds"] {
  const ends = (plan?.scenarios ?? []).flatMap(({ scenario, endedByFeed }) =>
    endedByFeed === undefined ? [] : [[scenario.name, endedByFeed] as const],
  );
  return new Map(ends);
}
