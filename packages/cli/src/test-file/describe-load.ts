import {
  defaultMaxVUs,
  type ValidatedOpenModel,
  type ValidatedScenario,
  type ValidatedStage,
} from "@bearhug/sdk/internal";

import { formatPlanned } from "../format/duration.ts";

/** The defaults of a scenario. Descriptions leave them out. */
const usual = { maxVUs: defaultMaxVUs, gracefulMs: 30_000, maxDurationMs: 600_000 };

/** A scenario's load in words, with every option that changes it. `usualStopMs`: the `gracefulStop` that goes without saying. */
export function describeLoad(scenario: ValidatedScenario, usualStopMs: number = usual.gracefulMs): string {
  const { startTimeMs, gracefulStopMs } = scenario;
  return [
    describeWork(scenario),
    ...describeOwn(scenario),
    ...(startTimeMs > 0 ? [`starting after ${formatPlanned(startTimeMs)}`] : []),
    ...(gracefulStopMs === usualStopMs ? [] : describeGrace("gracefulStop", gracefulStopMs)),
  ].join(", ");
}

function describeWork(scenario: ValidatedScenario): string {
  switch (scenario.executor) {
    case "constant-vus":
      return `${vus(scenario.vus)} for ${formatPlanned(scenario.durationMs)}`;
    case "shared-iterations":
      return `${iterations(scenario.iterations)} shared by ${vus(scenario.vus)}`;
    case "per-vu-iterations":
      return `${iterations(scenario.iterations)} for each of ${vus(scenario.vus)}`;
    case "constant-arrival-rate":
      return `${rate(scenario.rate, scenario)} for ${formatPlanned(scenario.durationMs)}`;
    case "ramping-vus":
      return `from ${vus(scenario.startVUs)} ${describeStages(scenario.stages)}`;
    case "ramping-arrival-rate":
      return `from ${rate(scenario.startRate, scenario)} ${describeStages(scenario.stages)}`;
  }
}

/** Options of its executor, where they are not as usual. */
function describeOwn(scenario: ValidatedScenario): string[] {
  switch (scenario.executor) {
    case "constant-arrival-rate":
    case "ramping-arrival-rate":
      return describeArrivals(scenario);
    case "shared-iterations":
    case "per-vu-iterations":
      return scenario.maxDurationMs === usual.maxDurationMs
        ? []
        : [`in at most ${formatPlanned(scenario.maxDurationMs)}`];
    case "ramping-vus":
      return describeGrace("gracefulRampDown", scenario.gracefulRampDownMs);
    case "constant-vus":
      return [];
  }
}

function describeArrivals({ arrivals, maxVUs, onBusy }: ValidatedOpenModel): string[] {
  return [
    ...(arrivals === "poisson" ? ["Poisson arrivals"] : []),
    ...(maxVUs === usual.maxVUs ? [] : [`at most ${vus(maxVUs)}`]),
    ...(onBusy === "queue" ? ["queued when all are busy"] : []),
  ];
}

function describeGrace(option: string, ms: number): string[] {
  if (ms === usual.gracefulMs) return [];
  return [ms === 0 ? `no ${option}` : `${option} ${formatPlanned(ms)}`];
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

function iterations(count: number): string {
  return count === 1 ? "1 iteration" : `${count} iterations`;
}

function vus(count: number): string {
  return count === 1 ? "1 VU" : `${count} VUs`;
}
