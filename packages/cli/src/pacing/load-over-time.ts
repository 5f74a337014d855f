import type { ValidatedScenario, ValidatedStage } from "@bearhug/sdk/internal";

import { activeMs } from "./scenario-times.ts";

/** The load of a scenario at a moment: virtual users, or iterations per second. Between two moments it is a straight line. */
export interface LoadPoint {
  /** Since the start of the run. */
  readonly atMs: number;
  readonly load: number;
}

/** The planned load of a scenario from its start to its end. */
export function loadOverTime(scenario: ValidatedScenario): LoadPoint[] {
  const { startTimeMs: startMs } = scenario;
  const steady = (load: number): LoadPoint[] => [
    { atMs: startMs, load },
    { atMs: startMs + activeMs(scenario), load },
  ];
  switch (scenario.executor) {
    case "shared-iterations":
      return steady(Math.min(scenario.vus, scenario.iterations));
    case "per-vu-iterations":
    case "constant-vus":
      return steady(scenario.vus);
    case "constant-arrival-rate":
      return steady((scenario.rate * 1000) / scenario.timeUnitMs);
    case "ramping-vus":
      return ramp(startMs, scenario.startVUs, scenario.stages);
    case "ramping-arrival-rate": {
      const perSecond = 1000 / scenario.timeUnitMs;
      const points = ramp(startMs, scenario.startRate, scenario.stages);
      return points.map(({ atMs, load }) => ({ atMs, load: load * perSecond }));
    }
  }
}

function ramp(startMs: number, from: number, stages: readonly ValidatedStage[]): LoadPoint[] {
  const points: LoadPoint[] = [{ atMs: startMs, load: from }];
  let atMs = startMs;
  for (const { durationMs, target } of stages) {
    atMs += durationMs;
    points.push({ atMs, load: target });
  }
  return points;
}

/** The highest load between two moments; 0 before the start and after the end. A short peak is never missed. */
export function mostLoad(points: readonly LoadPoint[], fromMs: number, toMs: number): number {
  let most = 0;
  for (const [index, end] of points.entries()) {
    const start = points[index - 1];
    // A stage of 0 s is a jump: its two ends belong to the stages around it.
    if (start === undefined || start.atMs === end.atMs) continue;
    if (start.atMs >= toMs || end.atMs <= fromMs) continue;
    const at = (ms: number): number =>
      start.load + ((end.load - start.load) * (ms - start.atMs)) / (end.atMs - start.atMs);
    most = Math.max(most, at(Math.max(start.atMs, fromMs)), at(Math.min(end.atMs, toMs)));
  }
  return most;
}
