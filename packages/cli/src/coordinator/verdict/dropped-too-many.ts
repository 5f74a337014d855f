import type { VuTime } from "@bearhug/sdk";

import { exitCodes } from "../../exit-codes.ts";
import { wasCutShort, type Ending, type Reason } from "./ending.ts";
import type { ScenarioOutcome } from "./scenario-outcomes.ts";

/** A greater share of dropped iterations means that the load was not the one that was asked for. */
const mostDroppedShare = 0.05;

/** Open models that dropped more than 5 % of their iterations, where no threshold of the test's own judges that. */
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
    `the load was not applied: ${dropped} of ${arrived + dropped} iterations of ${name} were dropped, ` +
    `${drops.size > 1 ? "most of them " : ""}because ${causeOf(reason, time)} ` +
    "(the limit is 5 %; a threshold on dropped_iterations sets your own)"
  );
}

function causeOf(reason: string, { spentOn }: VuTime): string {
  if (reason === "late") return "the load generator came too late for them";
  switch (spentOn) {
    case "hung":
      return "no VU was free: they hung in requests that the target did not answer";
    case "requests":
      return "no VU was free: the target was too slow, or maxVUs too low";
    case "test":
      return "no VU was free: maxVUs is too low for the time that the test itself waits";
    case "unclear":
      return "no VU was free: maxVUs was too low, or the target too slow";
  }
}

function sumOf(drops: ReadonlyMap<string, number>): number {
  return [...drops.values()].reduce((sum, count) => sum + count, 0);
}
