import type { TestResult } from "@bearhug/sdk";

import { unbalancedAccounts } from "./balance.ts";
import type { Contradiction } from "./contradiction.ts";
import { wrongOverload } from "./overload.ts";
import { wrongThresholds } from "./thresholds.ts";
import { wrongTotals } from "./totals.ts";
import { wrongTrials } from "./trials.ts";
import { wrongVariants } from "./variants.ts";
import { wrongVerdicts } from "./verdicts.ts";

/**
 * Finds parts of a result that contradict each other: accounts that do not balance, totals that differ from the sum of
 * their parts, thresholds whose outcome does not follow from their values, a verdict without a reason, conclusions that the
 * steps of a sweep, the trials of a search, the intervals of an overload or the variants speak against.
 * Cannot check values that a document does not contain, such as those of a window.
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
