import type { VuTime } from "@bearhug/sdk/internal";

import { exitCodes } from "../../exit-codes.ts";
import { wasCutShort, type Ending, type Reason } from "./ending.ts";
import type { ScenarioOutcome } from "./scenario-outcomes.ts";

/** A greater share of dropped iterations means that the load was not the one that was asked for. */
const mostDroppedShare = 0.05;

/** Open models that dropped more than 5 % of their iterations, if no threshold of the test limits drops. */
export function droppedTooMany(ending: Ending): Reason[] {
  if (wasCutShort(ending)) return [];
  return ending.scenarios.filter(hasDroppedTooMany).map((scenario) => ({
    code: exitCodes.thresholdsFailed,
    message: describeDrops(scenario, ending.timeOfVus(scenario.name)),
  }));
}

function hasDroppedTooMany({ executor, arrived, drops, unjudgedDrops }: ScenarioOutcome): boolean {
  if (executor !== "constant-arrival-rate" && executor !== "ramping-arrival-rate") return false;
  return unjudgedDrops > mostDroppedShare * (arrived + sumOf(drops));
}

function describeDrops({ name, arrived, drops }: ScenarioOutcome, time: VuTime): string {
  const dropped = sumOf(drops);
  const [reason = ""] = [...drops].sort(([, left], [, right]) => right - left).map(([key]) => key);
  return (
    `the planned load was not reached: ${dropped} of ${arrived + dropped} iterations of ${name} were dropped${drops.size > 1 ? ", mostly" : ""} because ${causeOf(reason, time)} ` +
    "(limit: 5 %; to set your own, add a threshold on dropped_iterations)"
  );
}

function causeOf(reason: string, { spentOn }: VuTime): string {
  if (reason === "late") return "the load generator fell behind";
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

function sumOf(drops: ReadonlyMap<string, number>): number {
  return [...drops.values()].reduce((sum, count) => sum + count, 0);
}
