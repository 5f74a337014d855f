import { executors } from "@bearhug/sdk/internal";
import { exitCodes } from "@bearhug/text/exit-codes";
import { generatorSaturated } from "@bearhug/text/reason-words";
import { conditionOf, metricOfKey } from "@bearhug/text/threshold-value";

import { wasCutShort, type Ending, type Reason } from "./ending.ts";

/** The sentence about a run that judges, and was measured by a saturated generator. */
export function describeSaturated(isStrict: boolean, [first]: readonly string[]): string {
  const why = first === undefined ? "" : ` (${first.split(";", 1)[0] ?? ""})`;
  const remedy = isStrict ? "" : ". To accept that, use --allow-saturated";
  return `${generatorSaturated}: this machine was the limit, not the target, so its times and rates say little${why}${remedy}`;
}

/**
 * A generator that was the limit: what it measured is not the target's. It fails a run that judges times or rates, or that
 * promised a rate; a closed load without such a threshold only measures.
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
