import { sumBy } from "@bearhug/metrics/sum";

import type { Estimate } from "./estimate.ts";
import type { Objective } from "./objective.ts";

/**
 * Loads whose share is above the allowed one by this factor are overloaded: there, requests depend on each
 * other far more.
 */
const overloadedFactor = 8;
/** The weight of all loads together in the estimate of one of them, in degrees of freedom. */
const sharedDegrees = 10;
/**
 * The prior of the slope of the effect's logarithm over the load's: its mean is 0, and this its standard
 * deviation.
 */
const priorSlope = 8;

/** An estimate at a load; null if there were too few samples to judge. */
export interface LoadedEstimate {
  readonly load: number;
  readonly estimate: Estimate | null;
}

/**
 * Returns the estimates of one objective with design effects that are fitted over all loads; in a queue,
 * these grow with the load. A single load shows the smallest effect if, by luck, few of its requests were
 * late, and must not count for more because of that.
 */
export function poolEffects(
  { judges, bound }: Objective,
  loaded: readonly LoadedEstimate[],
): (Estimate | null)[] {
  if (judges === "mean") return loaded.map(({ estimate }) => estimate);
  const known = loaded.flatMap(({ load, estimate }) => (estimate === null ? [] : [{ load, ...estimate }]));
  if (known.length === 0) return loaded.map(() => null);
  const near = known.filter(({ value }) => value < bound * overloadedFactor);
  const { effectAt, degrees } = fitEffects(near.length === 0 ? known : near);
  return loaded.map(({ load, estimate }) => {
    if (estimate === null) return null;
    const own = estimate.designEffect;
    const fitted = effectAt(load);
    if (own <= fitted)
      return { ...estimate, designEffect: fitted, spreadDegrees: degrees, pooledEffect: fitted };
    const weight = estimate.degrees / (estimate.degrees + sharedDegrees);
    return { ...estimate, pooledEffect: own * weight + fitted * (1 - weight) };
  });
}

interface Effects {
  readonly effectAt: (load: number) => number;
  readonly degrees: number;
}

/** Fits a line through the logarithms of effects and loads, which is level beyond the highest load. */
function fitEffects(rows: readonly (Estimate & { readonly load: number })[]): Effects {
  const degrees = sumBy(rows, (row) => row.degrees);
  const mean = (of: (row: (typeof rows)[number]) => number): number =>
    sumBy(rows, (row) => of(row) * row.degrees) / degrees;
  const centre = mean(({ load }) => Math.log(load));
  const height = Math.log(mean(({ designEffect }) => designEffect));
  // The logarithm of an effect has a variance of 2 / degrees.
  const [width, growth] = [
    mean(({ load }) => (Math.log(load) - centre) ** 2),
    mean(({ load, designEffect }) => (Math.log(load) - centre) * (Math.log(designEffect) - height)),
  ].map((product) => (product * degrees) / 2);
  const slope = Math.max(0, (growth ?? 0) / ((width ?? 0) + priorSlope ** -2));
  const highest = Math.max(...rows.map(({ load }) => load));
  return {
    effectAt: (load) => Math.max(1, Math.exp(height + slope * (Math.log(Math.min(load, highest)) - centre))),
    degrees,
  };
}
