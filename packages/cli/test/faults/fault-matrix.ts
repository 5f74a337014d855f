import { connectionFaults } from "./connection-faults.ts";
import type { FaultRow } from "./fault-row.ts";
import { malformedFaults } from "./malformed-faults.ts";
import { oddAnswers } from "./odd-answers.ts";
import { proxyFaults } from "./proxy-faults.ts";
import { slowFaults } from "./slow-faults.ts";

/** Everything that a target, its network or a proxy may do to a request, and what must become of it. */
export const faultMatrix: readonly FaultRow[] = [
  ...connectionFaults,
  ...slowFaults,
  ...malformedFaults,
  ...oddAnswers,
  ...proxyFaults,
];
