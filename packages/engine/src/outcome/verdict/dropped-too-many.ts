import { generatorSaturated } from "@bearhug/metrics/results/reason-words";
import { sum, sumBy } from "@bearhug/metrics/sum";
import { executors, httpErrorCatalog } from "@bearhug/sdk/internal";
import type { VuTime } from "@bearhug/sdk/result";
import { formatCount, formatRate } from "@bearhug/text/number";
import { formatPercent } from "@bearhug/text/percent";

import { describeLimit } from "./describe-limit.ts";
import { failure, note, wasCutShort, type Ending, type Reason } from "./ending.ts";
import type { ScenarioOutcome } from "./scenario-outcomes.ts";
import { describeMostFrequent } from "./describe-cause.ts";
import { deadScenarios } from "./unavailable-targets.ts";

/** Above this share of dropped iterations, the planned load was not reached. */
export const maxDroppedShare = 0.05;

/** Below this share, drops are not noted: the rate rounds to the planned one. */
const minNotedShare = 0.01;

/**
 * Fails scenarios that dropped more than 5 % of their iterations, unless a threshold of the test limits
 * drops.
 */
export function droppedTooMany(ending: Ending): Reason[] {
  if (wasCutShort(ending)) return [];
  return ending.scenarios
    .filter((scenario) => droppedShare(scenario) > maxDroppedShare)
    .map((scenario) =>
      failure(
        `the planned load was not reached: ${describeDrops(scenario, ending)}` +
          describeLimit(maxDroppedShare, "add a threshold on dropped_iterations"),
      ),
    );
}

/** Notes scenarios that dropped 1 to 5 % of their iterations. */
export function droppedSome(ending: Ending): Reason[] {
  if (wasCutShort(ending)) return [];
  return ending.scenarios
    .filter((scenario) => {
      const share = droppedShare(scenario);
      return share >= minNotedShare && share <= maxDroppedShare;
    })
    .map((scenario) => note(describeDrops(scenario, ending)));
}

/** Returns the share of iterations that were dropped and that no threshold of the test limits. */
function droppedShare(scenario: ScenarioOutcome): number {
  const { drops, unjudgedDrops } = scenario;
  const started = startedOf(scenario);
  return unjudgedDrops === 0 ? 0 : unjudgedDrops / (started + sum(drops.values()));
}

function describeDrops(scenario: ScenarioOutcome, ending: Ending): string {
  const { name, drops } = scenario;
  const dropped = sum(drops.values());
  const started = startedOf(scenario);
  const [reason = ""] = [...drops].sort(([, left], [, right]) => right - left).map(([key]) => key);
  const because = drops.size > 1 ? "mostly because" : "because";
  const rate = describeRate(scenario, started / (started + dropped));
  const comma = rate !== "" || drops.size > 1 ? "," : "";
  return `${dropped} of ${started + dropped} iterations of ${name} were dropped${rate}${comma} ${because} ${causeOf(reason, scenario, ending)}`;
}

/** Returns the number of started iterations. In closed models, it lacks iterations that were cut off. */
function startedOf({ executor, arrived, completed, failed }: ScenarioOutcome): number {
  return executors[executor].isOpen ? arrived : completed + failed;
}

/** Describes the achieved rate and the planned rate. A queue drains after the load's time, at another rate. */
function describeRate({ arrivalRate }: ScenarioOutcome, share: number): string {
  if (arrivalRate === null || arrivalRate.isQueued === true) return "";
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
  const { spentOn } = ending.classifyVuTime(scenario.name);
  if (ending.isGeneratorSaturated && spentOn !== "hung") {
    return `all VUs were busy, and ${generatorSaturated}: ${slower}`;
  }
  return `${describeBusyVus(spentOn)}${spentOn === "hung" ? "" : describeBound(scenario)}`;
}

function describeBusyVus(spentOn: VuTime["spentOn"]): string {
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

/** Above this share of lost time, the planned load was not reached, as with dropped iterations. */
export const maxLostShare = 0.05;

/** The codes of errors that make virtual users lose time. */
const waitingCodes: ReadonlySet<string> = new Set(
  Object.entries(httpErrorCatalog).flatMap(([code, { losesTime = false }]) => (losesTime ? [code] : [])),
);

/**
 * Fails closed models whose virtual users spent their time waiting for an unresponsive target. Back-off and
 * timeouts make failures rare, so the share of failed requests says little. A target that never responded, or
 * was gone at the end, has its own message.
 */
export function lostVuTime(ending: Ending): Reason[] {
  if (wasCutShort(ending)) return [];
  const dead = deadScenarios(ending);
  return ending.scenarios.flatMap(({ name, executor, vuTime, judgesVuTime, expectsFailures, names }) => {
    const { totalUs, lostUs } = vuTime;
    const share = totalUs === 0 ? 0 : lostUs / totalUs;
    if (share <= maxLostShare || executors[executor].isOpen || judgesVuTime || expectsFailures) return [];
    if (dead.has(name)) return [];
    const errors = ending.errors.filter((error) => names.has(error.name) && waitingCodes.has(error.code));
    const count = sumBy(errors, (error) => error.count);
    const cause = describeMostFrequent(errors, count);
    const message =
      `the planned load was not reached: the virtual users of ${name} lost ${formatPercent(share)} of their time to requests ` +
      `that were never answered, timeouts and back-off${cause === null ? "" : `: ${cause}`}` +
      describeLimit(maxLostShare, "add a threshold on vu_time_lost");
    return [failure(message)];
  });
}
