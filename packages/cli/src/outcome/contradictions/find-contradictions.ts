import type { TestResult } from "@bearhug/sdk";

import { unbalancedAccounts } from "./balance.ts";
import type { Contradiction } from "./contradiction.ts";
import { wrongThresholds } from "./thresholds.ts";
import { wrongTotals } from "./totals.ts";
import { wrongVerdicts } from "./verdicts.ts";

/**
 * Finds parts of a result that contradict each other: accounts that do not balance, totals that differ from the sum of
 * their parts, thresholds whose outcome does not follow from their values, a verdict without a reason.
 * Cannot check values that a document does not contain, such as those of a window.
 */
export function findContradictions(result: TestResult): Contradiction[] {
  return [wrongVerdicts, wrongThresholds, unbalancedAccounts, wrongTotals].flatMap((find) => find(result));
}
