import type { ValidatedScenario } from "@bearhug/sdk";

import { formatPlanned } from "../format/duration.ts";

/** A scenario's load in words. */
export function describeLoad(scenario: ValidatedScenario): string {
  switch (scenario.executor) {
    case "constant-vus":
      return `${vus(scenario.vus)} for ${formatPlanned(scenario.durationMs)}`;
    case "shared-iterations":
      return `${iterations(scenario.iterations)} shared by ${vus(scenario.vus)}`;
    case "per-vu-iterations":
      return `${iterations(scenario.iterations)} for each of ${vus(scenario.vus)}`;
    case "constant-arrival-rate":
      return `${scenario.rate} iterations per ${formatPlanned(scenario.timeUnitMs)} for ${formatPlanned(scenario.durationMs)}`;
    case "ramping-vus":
      return `ramping from ${vus(scenario.startVUs)} in ${scenario.stages.length} stages`;
    case "ramping-arrival-rate":
      return `ramping from ${scenario.startRate} iterations per ${formatPlanned(scenario.timeUnitMs)} in ${scenario.stages.length} stages`;
  }
}

function iterations(count: number): string {
  return count === 1 ? "1 iteration" : `${count} iterations`;
}

function vus(count: number): string {
  return count === 1 ? "1 VU" : `${count} VUs`;
}
