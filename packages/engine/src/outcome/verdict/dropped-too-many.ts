import { executors, httpErrorCatalog } from "@bearhug/sdk/internal";
import type { VuTime } from "@bearhug/sdk/result";
import { exitCodes } from "@bearhug/text/exit-codes";
import { formatCount, formatRate } from "@bearhug/text/number";
import { formatPercent } from "@bearhug/text/percent";
import { generatorSaturated } from "@bearhug/text/reason-words";

import { describeLimit } from "./describe-limit.ts";
import { wasCutShort, type Ending, type Reason } from "./ending.ts";
import type { ScenarioOutcome } from "./scenario-outcomes.ts";
import { describeMostFrequent } from "./name-cause.ts";
import { deadScenarios } from "./unavailable-targets.ts";

/** A greater share of dropped iterations means that the load was not the one that was asked for. */
export const mostDroppedShare = 0.05;

/** A smaller share stays out of the first lines: the rate rounds to the one that was asked for. */
const leastNotedShare = 0.01;

/** Scenarios that dropped more than 5 % of their iterations, if no threshold of the test limits drops. */
export function droppedTooMany(ending: Ending): Reason[] {
  if (wasCutShort(ending)) return [];
  return ending.scenarios
    .filter((scenario) => droppedShare(scenario) > mostDroppedShare)
    .map((scenario) => ({
      code: exitCodes.thresholdsFailed,
      message:
        `the planned load was not reached: ${describeDrops(scenario, ending)}` +
        describeLimit(mostDroppedShare, "add a threshold on dropped_iterations"),
    }));
}

/** Notes scenarios that dropped less: 1 to 5 % of their iterations. */
export function droppedSome(ending: Ending): Reason[] {
  if (wasCutShort(ending)) return [];
  return ending.scenarios
    .filter((scenario) => {
      const share = droppedShare(scenario);
      return share >= leastNotedShare && share <= mostDroppedShare;
    })
    .map((scenario) => ({ code: exitCodes.passed, message: describeDrops(scenario, ending) }));
}

/** The share of drops that no threshold of the test limits. */
function droppedShare(scenario: ScenarioOutcome): number {
  const { drops, unjudgedDrops } = scenario;
  const started = startedOf(scenario);
  return unjudgedDrops === 0 ? 0 : unjudgedDrops / (started + sumOf(drops));
}

function describeDrops(scenario: ScenarioOutcome, ending: Ending): string {
  const { name, drops } = scenario;
  const dropped = sumOf(drops);
  const started = startedOf(scenario);
  const [reason = ""] = [...drops].sort(([, left], [, right]) => right - left).map(([key]) => key);
  const because = drops.size > 1 ? "mostly because" : "because";
  const rate = describeRate(scenario, started / (started + dropped));
  const comma = rate !== "" || drops.size > 1 ? "," : "";
  return `${dropped} of ${started + dropped} iterations of ${name} were dropped${rate}${comma} ${because} ${causeOf(reason, scenario, ending)}`;
}

/** Iterations that were started; those of closed models that were cut off are not known by scenario. */
function startedOf({ executor, arrived, completed, failed }: ScenarioOutcome): number {
  return executors[executor].isOpen ? arrived : completed + failed;
}

/** The rate that was reached, and the one that was asked for. */
function describeRate({ arrivalRate }: ScenarioOutcome, share: number): string {
  if (arrivalRate === null) return "";
  const { perSecond } = arrivalRate;
  return `, leaving ${formatRate(perSecond * share)} of ${formatRate(perSecond)}`;
}

function causeOf(reason: string, scenario: ScenarioOutcome, ending: Ending): string {
  const slower = "add workers or machines, or lower the rate";
  if (reason === "late") return `the load generator fell behind: ${slower}`;
  if (reason === "time")
    return "maxDuration ran out before they started: raise it, or ask for fewer iterations";
  if (reason === "late_start")
    return "the load began late: start the machine earlier, or choose a later --start-at";
  const { spentOn } = ending.timeOfVus(scenario.name);
  if (ending.isGeneratorSaturated && spentOn !== "hung") {
    return `all VUs were busy, and ${generatorSaturated}: ${slower}`;
  }
  return `${whileBusy(spentOn)}${spentOn === "hung" ? "" : describeBound(scenario)}`;
}

function whileBusy(spentOn: VuTime["spentOn"]): string {
  switch (spentOn) {
    case "hung":
      return "all VUs were waiting for requests that the target never answered";
    case "requests":
      return "all VUs were busy: the target is too slow, or maxVUs is too low";
    case "test":
      return "all VUs were busy, mostly outside requests (such as sleep and think): raise maxVUs";
    case "unclear":
      return "all VUs were busy: maxVUs is too low, or the target is too slow";
  }
}

function describeBound({ arrivalRate }: ScenarioOutcome): string {
  if (arrivalRate === null) return "";
  return `; maxVUs was ${formatCount(arrivalRate.maxVUs)}, which --vus sets, or -c and --max-active-requests for a URL`;
}

function sumOf(drops: ReadonlyMap<string, number>): number {
  return [...drops.values()].reduce((sum, count) => sum + count, 0);
}

/** More lost time means that the load was not the one that was asked for, as with dropped iterations. */
const mostLostShare = 0.05;

/** The codes of errors in which the time of virtual users goes by. */
const waitingCodes: ReadonlySet<string> = new Set(
  Object.entries(httpErrorCatalog).flatMap(([code, { losesTime = false }]) => (losesTime ? [code] : [])),
);

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
    const errors = ending.errors.filter((error) => names.has(error.name) && waitingCodes.has(error.code));
    const count = errors.reduce((sum, error) => sum + error.count, 0);
    const cause = describeMostFrequent(errors, count);
    const message =
      `the planned load was not reached: the virtual users of ${name} lost ${formatPercent(share)} of their time to requests ` +
      `that were never answered, timeouts and back-off${cause === null ? "" : `: ${cause}`}` +
      describeLimit(mostLostShare, "add a threshold on vu_time_lost");
    return [{ code: exitCodes.thresholdsFailed, message }];
  });
}
