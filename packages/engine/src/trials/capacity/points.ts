import type { Estimate } from "./estimate.ts";
import type { Objective } from "./objective.ts";

/** An objective's figure at one load, as evidence of where the limit is. */
export interface Point {
  readonly load: number;
  readonly judges: Objective["judges"];
  /** The share or mean, and its bound. */
  readonly value: number;
  readonly bound: number;
  /** For a share: the number of independent requests that would give as much information. */
  readonly effectiveSamples: number;
  /** For a mean: its relative standard error. */
  readonly relativeError: number;
  /** The degrees of freedom of the spread that this load alone shows. */
  readonly degrees: number;
  /** Present for a figure that grows in proportion to the load, as CPU does, rather than with a queue. */
  readonly isProportional?: true;
}

export function pointOf({ judges, bound, gaugeUnit }: Objective, load: number, estimate: Estimate): Point {
  const { value, samples, pooledEffect, degrees, standardError } = estimate;
  // A gauge that was always 0 is known exactly.
  const relativeError = value === 0 ? 0 : standardError / value;
  return {
    load,
    judges,
    value,
    bound,
    effectiveSamples: samples / pooledEffect,
    relativeError,
    degrees,
    ...(gaugeUnit !== undefined && { isProportional: true }),
  };
}
