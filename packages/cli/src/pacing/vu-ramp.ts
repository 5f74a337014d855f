import type { ValidatedStage } from "@bearhug/sdk/internal";

/** A virtual user joins or leaves. */
export interface RampStep {
  /** After the scenario's start. */
  readonly atMs: number;
  /** Its number, from 0. */
  readonly vu: number;
  readonly joins: boolean;
}

/**
 * The joins and leaves of virtual users, in order. `startVUs` join at 0. Going up from a to b in d until T, the n-th (from 1) joins
 * at T − d · (b − n) / (b − a); going down, the n-th leaves at T − d · (b − n + 1) / (b − a). A stage of no length is a jump.
 */
export function* vuRamp(startVUs: number, stages: readonly ValidatedStage[]): Generator<RampStep, void> {
  for (let vu = 0; vu < startVUs; vu++) yield { atMs: 0, vu, joins: true };
  let from = startVUs;
  let endMs = 0;
  for (const { durationMs, target } of stages) {
    endMs += durationMs;
    const perVuMs = durationMs / Math.abs(target - from);
    for (let n = from + 1; n <= target; n++)
      yield { atMs: endMs - perVuMs * (target - n), vu: n - 1, joins: true };
    for (let n = from; n > target; n--)
      yield { atMs: endMs - perVuMs * (n - 1 - target), vu: n - 1, joins: false };
    from = target;
  }
}
