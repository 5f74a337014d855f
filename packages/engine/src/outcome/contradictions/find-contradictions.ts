import { sumBy } from "@bearhug/metrics/sum";
import type { TestResult } from "@bearhug/sdk";
import type { OverloadPhase, OverloadResult } from "@bearhug/sdk/result";

import { unbalancedAccounts } from "./balance.ts";
import { type Contradiction, around, outside } from "./contradiction.ts";
import { wrongThresholds } from "./thresholds.ts";
import { wrongTotals } from "./totals.ts";
import { wrongTrials } from "./trials.ts";
import { wrongVariants } from "./variants.ts";
import { wrongVerdicts } from "./verdicts.ts";

/**
 * Finds parts of a result that contradict each other: accounts that do not balance, totals that differ from
 * the sum of their parts, thresholds whose outcome does not follow from their values, a verdict without a
 * reason, and conclusions that the steps of a sweep, the trials of a search, the intervals of an overload or
 * the variants contradict. Cannot check values that a document does not contain, such as those of a window.
 */
export function findContradictions(result: TestResult): Contradiction[] {
  const all = [
    wrongVerdicts,
    wrongThresholds,
    unbalancedAccounts,
    wrongTotals,
    wrongTrials,
    wrongOverload,
    wrongVariants,
  ];
  return all.flatMap((find) => find(result));
}

/** The rates of a phase that are the mean of its intervals. */
const means = ["goodput", "failed", "dropped"] as const;

/**
 * Finds phases of an overload that are out of order, or whose rates differ from the mean of their intervals.
 */
export function wrongOverload({ overload }: TestResult): Contradiction[] {
  if (overload === undefined) return [];
  const order = ["base", "past", "recovery"];
  return overload.phases.flatMap((phase, index) => {
    const path = `overload.phases[${index}]`;
    if (phase.name !== order[index])
      return [{ path: `${path}.name`, message: `is "${phase.name}", but this phase is "${order[index]}"` }];
    return wrongPhase(path, phase, overload);
  });
}

function wrongPhase(path: string, phase: OverloadPhase, { intervals }: OverloadResult): Contradiction[] {
  const within = intervals.filter(({ fromMs, toMs }) => fromMs >= phase.fromMs && toMs <= phase.toMs);
  // The first interval of a load is left out, because it includes the start.
  const counted = phase.name === "recovery" ? within : within.slice(1);
  return means.flatMap((name) => {
    const sum = sumBy(counted, (interval) => interval[name]);
    return outside(
      `${path}.${name}`,
      phase[name],
      around(counted.length === 0 ? 0 : sum / counted.length),
      "overload.intervals",
    );
  });
}
