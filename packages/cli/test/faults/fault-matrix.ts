import { connectionFaults } from "./connection-faults.ts";
import type { FaultRow } from "./fault-row.ts";
import { malformedFaults } from "./malformed-faults.ts";
import { oddAnswers } from "./odd-answers.ts";
import { proxyFaults } from "./proxy-faults.ts";
import { slowFaults } from "./slow-faults.ts";

/** All faults that a target, its network or a proxy can cause, with the outcome that each must have. */
export const faultMatrix: readonly FaultRow[] = [
  ...connectionFaults,
  ...slowFaults,
  ...malformedFaults,
  ...oddAnswers,
  ...proxyFaults,
];
