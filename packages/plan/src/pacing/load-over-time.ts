import { sumBy } from "@bearhug/metrics/sum";

/** A validated stage of a ramp. */
export interface ValidatedStage {
  readonly durationMs: number;
  readonly target: number;
}

/**
 * The load of a scenario at a moment: virtual users, or iterations per second. It is linear between two
 * points.
 */
export interface LoadPoint {
  readonly atMs: number;
  readonly load: number;
}

/** A constant load. */
export function steadyLoad(load: number, durationMs: number): LoadPoint[] {
  return [
    { atMs: 0, load },
    { atMs: durationMs, load },
  ];
}

/** A load that changes linearly to each stage's target. */
export function rampedLoad(from: number, stages: readonly ValidatedStage[]): LoadPoint[] {
  const points: LoadPoint[] = [{ atMs: 0, load: from }];
  let atMs = 0;
  for (const { durationMs, target } of stages) {
    atMs += durationMs;
    points.push({ atMs, load: target });
  }
  return points;
}

/** Returns the total time of stages. */
export function stagesMs(stages: readonly ValidatedStage[]): number {
  return sumBy(stages, ({ durationMs }) => durationMs);
}

/**
 * Returns the highest load between two moments; 0 before the start and after the end. It includes peaks of
 * any length.
 */
export function peakLoad(points: readonly LoadPoint[], fromMs: number, toMs: number): number {
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
