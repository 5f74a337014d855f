import { exitCodes, type ExitCode } from "@bearhug/metrics/results/exit-codes";
import type { UnfollowedRedirect } from "@bearhug/metrics/target-log";
import type { Stripe } from "@bearhug/plan/pacing/stripe";
import type { JudgingOptions } from "@bearhug/plan/protocol/plan";
import type { CheckResult, ErrorResult, TestResult, ThresholdResult } from "@bearhug/sdk";
import type { VariantsResult, VuTime } from "@bearhug/sdk/result";

import type { UnnoticedLogin } from "../login-store.ts";
import type { TagsSeen } from "../tags-seen.ts";
import type { FeedEnd } from "../run-record.ts";
import type { RunState } from "../run-state.ts";
import type { Run } from "../run.ts";
import type { ScenarioOutcome } from "./scenario-outcomes.ts";
import type { TargetOutcome } from "./target-outcomes.ts";

/** The facts that decide the verdict of a run: its final state, and its measurements. */
export interface Ending extends RunState, Pick<Run, "isTruncated" | "damage" | "locate"> {
  readonly thresholds: readonly ThresholdResult[];
  readonly metrics: TestResult["metrics"];
  readonly monitors: TestResult["monitors"];
  readonly checks: readonly CheckResult[];
  readonly errors: readonly ErrorResult[];
  readonly scenarios: readonly ScenarioOutcome[];
  readonly targets: readonly TargetOutcome[];
  /**
   * The first redirect in a test of one URL, which follows none; null if there was none, and for other tests.
   */
  readonly firstRedirect: UnfollowedRedirect | null;
  /** Requests that should be of visitors who are logged in, and are not. */
  readonly sentToLogin: readonly UnnoticedLogin[];
  readonly judging: JudgingOptions;
  /** The load exceeds its rate on purpose. */
  readonly isOverload: boolean;
  /** Returns what the virtual users of a scenario spent their time on. */
  readonly classifyVuTime: (scenario: string) => VuTime;
  /** Null without variants. */
  readonly variants: VariantsResult | null;
  /** Feeds that end a scenario early, by the scenario's name. */
  readonly feedEnds: ReadonlyMap<string, FeedEnd>;
  /** Returns the tags that the samples of a metric carried. */
  readonly tagsSeen: (metric: string) => TagsSeen;
  /**
   * A sentence for each threshold that could not be evaluated, because its samples could not be
   * distinguished.
   */
  readonly unevaluated: readonly string[];
  readonly isGeneratorSaturated: boolean;
  /**
   * Reasons why the load generator was unhealthy, with remedies. A reason that explains others comes first.
   */
  readonly generatorReasons: readonly string[];
  readonly isStrictGenerator: boolean;
  readonly allowsPartial: boolean;
  /** Null for a whole run. */
  readonly shard: Stripe | null;
  /** False for a load too short to judge the generator. */
  readonly isGeneratorJudged: boolean;
}

/** A finding at the end of a run: its message, and the exit code that it requires. */
export interface Reason {
  readonly code: ExitCode;
  readonly message: string;
  /** True if a part of the load is missing, and that was allowed. @default false */
  readonly isAcceptedGap?: boolean;
}

/** Returns a reason for which the run fails. */
export function failure(message: string): Reason {
  return { code: exitCodes.thresholdsFailed, message };
}

/** Returns a reason that fails nothing. */
export function note(message: string): Reason {
  return { code: exitCodes.passed, message };
}

/** Returns the reason for a load of which a part is missing. */
export function gap(message: string, { allowsPartial }: Pick<Ending, "allowsPartial">): Reason {
  return allowsPartial ? { ...note(message), isAcceptedGap: true } : { code: exitCodes.workerLost, message };
}

/** A rule of the verdict: returns its findings about the end of a run. */
export type Rule = (ending: Ending) => readonly Reason[];

/** True if a person, the test's `abort` or a kill ended the load early. */
export function wasCutShort({ interruptedBy, abortReason, isTruncated, isLoadOver }: Ending): boolean {
  return interruptedBy !== null || abortReason !== null || (isTruncated && !isLoadOver);
}

/**
 * True if the load ended early for any reason, including its own rules, so that not all of it was applied.
 */
export function endedEarly(ending: Ending): boolean {
  const { endedBy, abortedBy, thresholds } = ending;
  const isOver = endedBy !== null || abortedBy !== null || thresholds.some(({ passed }) => passed === false);
  return isOver || wasCutShort(ending);
}
