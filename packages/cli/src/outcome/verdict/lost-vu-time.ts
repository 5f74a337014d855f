import { executors } from "@bearhug/sdk/internal";

import { exitCodes } from "../../exit-codes.ts";
import { formatPercent } from "../../format/percent.ts";
import { describeMostFrequent } from "./name-cause.ts";
import { describeLimit } from "./describe-limit.ts";
import { wasCutShort, type Ending, type Reason } from "./ending.ts";
import { deadScenarios } from "./unavailable-targets.ts";

/** More lost time means that the load was not the one that was asked for, as with dropped iterations. */
const mostLostShare = 0.05;

/** Errors in which the time of virtual users goes by. */
const waitingCodes =
  /^(?:UNANSWERED|.*TIMEOUT|CONNECTION_.*|CONNECT_.*|DNS_.*|HOST_.*|NETWORK_.*|SOCKET_.*)$/;

/**
 * Closed models whose virtual users waited for a target that did not answer: back-off and timeouts thin failures out, so that
 * the share of failed requests says little. That nothing answered, from the start or at the end, has its own message.
 */
export function lostVuTime(ending: Ending): Reason[] {
  if (wasCutShort(ending)) return [];
  const dead = deadScenarios(ending);
  return ending.scenarios.flatMap(({ name, executor, vuTime, judgesVuTime, expectsFailures, names }) => {
    const { totalUs, lostUs } = vuTime;
    const share = totalUs === 0 ? 0 : lostUs / totalUs;
    if (share <= mostLostShare || executors[executor].isOpen || judgesVuTime || expectsFailures) return [];
    if (dead.has(name)) return [];
    const errors = ending.errors.filter((error) => names.has(error.name) && waitingCodes.test(error.code));
    const count = errors.reduce((sum, error) => sum + error.count, 0);
    const cause = describeMostFrequent(errors, count);
    const message =
      `the planned load was not reached: the virtual users of ${name} lost ${formatPercent(share)} of their time to requests ` +
      `that were never answered, timeouts and back-off${cause === null ? "" : `: ${cause}`}` +
      describeLimit(mostLostShare, "add a threshold on vu_time_lost");
    return [{ code: exitCodes.thresholdsFailed, message }];
  });
}
