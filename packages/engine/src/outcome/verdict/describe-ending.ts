import type { TestResult } from "@bearhug/sdk";
import { leastJudgedMs, timeOfVus } from "@bearhug/sdk/internal";

import { unanswerableReasons } from "../judge-thresholds.ts";
import type { Run } from "../run.ts";
import { tagsSeen } from "../tags-seen.ts";
import type { Ending } from "./ending.ts";
import { firstFailedCheck } from "./first-failed-check.ts";
import { scenarioOutcomes } from "./scenario-outcomes.ts";
import { targetOutcomes } from "./target-outcomes.ts";

/** The parts of a result that were measured, and that the verdict rests on. */
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

/** The facts that decide the verdict of a run. */
export function describeEnding(run: Run, measured: Measured): Ending {
  const { head, state, collector, isTruncated, damage = null, locate } = run;
  const { generator, checks, thresholds, metrics, errors } = measured;
  const judged = head.thresholds.map(({ threshold }) => threshold);
  return {
    ...state,
    isTruncated,
    damage,
    thresholds,
    metrics,
    checks,
    firstFailedCheck: firstFailedCheck(collector.store),
    errors,
    scenarios: head.plan === null ? [] : scenarioOutcomes(collector.store, head.plan, judged),
    targets: head.plan === null ? [] : targetOutcomes(collector.targets, head.plan, state.startsUntilMs),
    // A test that follows none says so itself.
    firstRedirect: head.file === null ? collector.targets.firstRedirect : null,
    judging: head.plan?.judging ?? {},
    judgesFailures: judged.some(({ selector: { metric } }) => failureMetrics(head.plan).has(metric)),
    isOverload: head.plan?.overload !== undefined,
    timeOfVus: (scenario) => timeOfVus(measured, scenario),
    variants: measured.variants ?? null,
    feedEnds: feedEndsOf(head.plan),
    tagsSeen: (metric) => tagsSeen(collector.store, metric),
    unanswerable: unanswerableReasons(run),
    locate,
    isGeneratorSaturated: generator.verdict === "saturated",
    isStrictGenerator: head.isStrictGenerator,
    allowsPartial: head.allowsPartial,
    shard: head.shard,
    isGeneratorJudged: state.durationMs >= leastJudgedMs,
  };
}

function feedEndsOf(plan: Run["head"]["plan"]): Ending["feedEnds"] {
  const ends = (plan?.scenarios ?? []).flatMap(({ scenario, endedByFeed }) =>
    endedByFeed === undefined ? [] : [[scenario.name, endedByFeed] as const],
  );
  return new Map(ends);
}

/** The metrics of which a threshold judges failures. */
function failureMetrics(plan: Run["head"]["plan"]): ReadonlySet<string> {
  return new Set(["checks", "iteration_failed", ...(plan?.clients ?? []).map(({ roles }) => roles.failed)]);
}
