import type { ValidatedOpenModel, ValidatedScenario, ValidatedStage } from "@bearhug/sdk";

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
      return `${rate(scenario.rate, scenario)} for ${formatPlanned(scenario.durationMs)}${arrivals(scenario)}`;
    case "ramping-vus":
      return `from ${vus(scenario.startVUs)} ${describeStages(scenario.stages)}`;
    case "ramping-arrival-rate":
      return `from ${rate(scenario.startRate, scenario)} ${describeStages(scenario.stages)}${arrivals(scenario)}`;
  }
}

/** More than these are told as one. */
const stagesTold = 4;

function describeStages(stages: readonly ValidatedStage[]): string {
  if (stages.length <= stagesTold) {
    return stages.map(({ durationMs, target }) => `to ${target} in ${formatPlanned(durationMs)}`).join(", ");
  }
  const targets = stages.map(({ target }) => target);
  const lastsMs = stages.reduce((sum, { durationMs }) => sum + durationMs, 0);
  return `up to ${Math.max(...targets)} in ${stages.length} stages, ${formatPlanned(lastsMs)} in all`;
}

function rate(count: number, { timeUnitMs }: ValidatedOpenModel): string {
  return `${count} iterations${timeUnitMs === 1000 ? "/s" : ` per ${formatPlanned(timeUnitMs)}`}`;
}

function arrivals({ arrivals }: ValidatedOpenModel): string {
  return arrivals === "poisson" ? ", Poisson arrivals" : "";
}

function iterations(count: number): string {
  return count === 1 ? "1 iteration" : `${count} iterations`;
}

function vus(count: number): string {
  return count === 1 ? "1 VU" : `${count} VUs`;
}
