import type { Estimate } from "./estimate.ts";
import type { Objective } from "./objective.ts";

/** Loads with more than so many times the allowed share are overloaded: requests depend on each other far more there. */
const nearTimes = 8;
/** All loads count as much, for one of them, as so many degrees of freedom of its own. */
const sharedDegrees = 10;
/** Slopes of the effect's logarithm against the load's, as they are expected before there are data: 0, give or take so much. */
const usualSlope = 8;

/** An estimate at a load; null where there was too little to judge. */
export interface LoadedEstimate {
  readonly load: number;
  readonly estimate: Estimate | null;
}

/**
 * Gives the estimates of one objective design effects that all loads support; in a queue they grow with the load. The effect
 * that a single load shows is least where, by luck, few requests were late, and such a load must not count for more
 * because of it.
 */
export function poolEffects(
  { judges, bound }: Objective,
  loaded: readonly LoadedEstimate[],
): (Estimate | null)[] {
  if (judges === "mean") return loaded.map(({ estimate }) => estimate);
  const known = loaded.flatMap(({ load, estimate }) => (estimate === null ? [] : [{ load, ...estimate }]));
  if (known.length === 0) return loaded.map(() => null);
  const near = known.filter(({ value }) => value < bound * nearTimes);
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

/** A line through the logarithms of effects and loads; beyond the highest load it is level. */
function fitEffects(rows: readonly (Estimate & { readonly load: number })[]): Effects {
  const degrees = rows.reduce((sum, row) => sum + row.degrees, 0);
  const mean = (of: (row: (typeof rows)[number]) => number): number =>
    rows.reduce((sum, row) => sum + of(row) * row.degrees, 0) / degrees;
  const centre = mean(({ load }) => Math.log(load));
  const height = Math.log(mean(({ designEffect }) => designEffect));
  // An effect's logarithm has a variance of 2 by its degrees.
  const [width, growth] = [
    mean(({ load }) => (Math.log(load) - centre) ** 2),
    mean(({ load, designEffect }) => (Math.log(load) - centre) * (Math.log(designEffect) - height)),
  ].map((product) => (product * degrees) / 2);
  const slope = Math.max(0, (growth ?? 0) / ((width ?? 0) + usualSlope ** -2));
  const highest = Math.max(...rows.map(({ load }) => load));
  return {
    effectAt: (load) => Math.max(1, Math.exp(height + slope * (Math.log(Math.min(load, highest)) - centre))),
    degrees,
  };
}
