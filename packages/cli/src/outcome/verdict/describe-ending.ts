import type { TestResult } from "@bearhug/sdk";
import { leastJudgedMs, timeOfVus } from "@bearhug/sdk/internal";

import { describeUnanswerable } from "../../format/threshold-value.ts";
import { isUnanswerable } from "../assemble-result.ts";
import { isWhole, type Run } from "../run.ts";
import type { Ending } from "./ending.ts";
import { scenarioOutcomes } from "./scenario-outcomes.ts";

/** The parts of a result that were measured, and that the verdict rests on. */
export type Measured = Pick<
  TestResult,
  | "generator"
  | "accounting"
  | "checks"
  | "thresholds"
  | "metrics"
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
    errors,
    scenarios: head.plan === null ? [] : scenarioOutcomes(collector.store, head.plan, judged),
    timeOfVus: (scenario) => timeOfVus(measured, scenario),
    variants: measured.variants ?? null,
    unanswerable: unanswerableReasons(run),
    locate,
    isGeneratorSaturated: generator.verdict === "saturated",
    isStrictGenerator: head.isStrictGenerator,
    allowsPartial: head.allowsPartial,
    shard: head.shard,
    isGeneratorJudged: state.durationMs >= leastJudgedMs,
  };
}

function unanswerableReasons(run: Run): string[] {
  const { head, collector } = run;
  const thresholds = isWhole(run) ? head.thresholds : [];
  return thresholds
    .filter(({ threshold }) => isUnanswerable(threshold, collector.foldedTags))
    .map(
      ({ threshold: { key } }) =>
        `${describeUnanswerable(key)}: there were too many tag combinations, so some were merged`,
    );
}
