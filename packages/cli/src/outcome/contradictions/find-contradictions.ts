import type { TestResult } from "@bearhug/sdk";

import { unbalancedAccounts } from "./balance.ts";
import type { Contradiction } from "./contradiction.ts";
import { wrongJudgements } from "./judgements.ts";
import { wrongTotals } from "./totals.ts";
import { wrongVerdicts } from "./verdicts.ts";

/**
 * Everything in a result that another part of it speaks against: accounts that do not balance, totals that their parts
 * do not add up to, thresholds that were not judged by their values, a verdict that nothing in it bears out.
 * Values that a document does not hold, such as those of a window, are not judged.
 */
export function findContradictions(result: TestResult): Contradiction[] {
  return [wrongVerdicts, wrongJudgements, unbalancedAccounts, wrongTotals].flatMap((find) => find(result));
}
