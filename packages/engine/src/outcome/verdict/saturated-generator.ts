import { exitCodes } from "@bearhug/metrics/results/exit-codes";
import { generatorSaturated } from "@bearhug/metrics/results/reason-words";
import { conditionOf, metricOfKey } from "@bearhug/metrics/thresholds/threshold-value";
import { executors } from "@bearhug/sdk/internal";

import { wasCutShort, type Ending, type Reason } from "./ending.ts";

/** Returns the message for a run that cannot be judged because its load generator was saturated. */
export function describeSaturated(isStrict: boolean, [first]: readonly string[]): string {
  const why = first === undefined ? "" : ` (${first.split(";", 1)[0] ?? ""})`;
  const remedy = isStrict ? "" : ". To accept that, use --allow-saturated";
  return `${generatorSaturated}: this machine was the limit, not the target, so its times and rates say little${why}${remedy}`;
}

/**
 * Fails a run whose load generator was the limit, not the target, if the run judges times or rates or has an
 * open model. A closed model without such a threshold is not judged by speed.
 */
export function saturatedGenerator(ending: Ending): Reason[] {
  const { isGeneratorSaturated, generatorReasons, isStrictGenerator, judging, shard } = ending;
  if (!isGeneratorSaturated) return [];
  const mayJudge = shard === null && judging.allowsSaturated !== true && !wasCutShort(ending);
  const isJudged = mayJudge && judgesSpeed(ending);
  if (!isStrictGenerator && !isJudged) return [];
  const message = describeSaturated(isStrictGenerator, generatorReasons);
  return [{ code: exitCodes.generatorSaturated, message }];
}

function judgesSpeed({ thresholds, metrics, scenarios }: Ending): boolean {
  const isOnSpeed = thresholds.some((threshold) => {
    const type = metrics[metricOfKey(threshold.metric)]?.type;
    return type === "trend" || (type === "counter" && conditionOf(threshold)?.aggregation.kind === "rate");
  });
  return isOnSpeed || scenarios.some(({ executor }) => executors[executor].isOpen);
}
