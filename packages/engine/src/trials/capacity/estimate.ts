import type { Batch, Objective } from "./objective.ts";

/** An objective's figure at one load, with the doubt that is left. */
export interface Estimate {
  readonly samples: number;
  /** The share of violating requests, or the mean time in milliseconds. */
  readonly value: number;
  /**
   * How many requests say as much as one independent one: requests that wait in one queue are late together. A verdict takes the
   * greater one of this load's and that of all loads.
   */
  readonly designEffect: number;
  /** Standard error of a mean; of a share it follows from the effective samples. */
  readonly standardError: number;
  /** Degrees of freedom of what its own batches say about the spread. */
  readonly degrees: number;
  /** The same, for all loads together. */
  readonly spreadDegrees: number;
  /** The design effect that is likeliest by this load and all others; it weighs this load in the search for the limit. */
  readonly pooledEffect: number;
}

/** Batches are joined to at most so many: fewer and longer ones depend less on each other. */
const mostGroups = 16;

/** Estimates an objective's figure from all batches at one load; null where there is too little to judge. */
export function estimateObjective(objective: Objective, batches: readonly Batch[]): Estimate | null {
  const filled = batches.filter(({ samples }) => samples > 0);
  const groups = joinBatches(filled);
  if (groups.length < 3) return null;
  const samples = sumOf(groups, "samples");
  const value = sumOf(groups, "total") / samples;
  const degrees = groups.length - 1;
  if (objective.judges === "mean") {
    const standardError = Math.sqrt(spreadOf(groups, "total") * samples) / samples;
    return {
      samples,
      value,
      designEffect: 1,
      standardError,
      degrees,
      spreadDegrees: degrees,
      pooledEffect: 1,
    };
  }
  const designEffect = Math.max(1, effectOf(groups, "total"), effectOf(groups, "slow"));
  return {
    samples,
    value,
    designEffect,
    standardError: 0,
    degrees,
    spreadDegrees: degrees,
    pooledEffect: designEffect,
  };
}

/**
 * The design effect of a share by batch means: how many times its variance exceeds that of independent requests.
 * 0 where no request, or each, counts.
 */
function effectOf(groups: readonly Batch[], of: "total" | "slow"): number {
  const share = sumOf(groups, of) / sumOf(groups, "samples");
  return share <= 0 || share >= 1 ? 0 : spreadOf(groups, of) / (share * (1 - share));
}

/** The variance of a sum over batches for each of its samples: that of a ratio, so batches may differ in size. */
function spreadOf(groups: readonly Batch[], of: "total" | "slow"): number {
  const samples = sumOf(groups, "samples");
  const ratio = sumOf(groups, of) / samples;
  const squares = groups.reduce((sum, group) => sum + (group[of] - ratio * group.samples) ** 2, 0);
  return (squares * groups.length) / (groups.length - 1) / samples;
}

function joinBatches(batches: readonly Batch[]): Batch[] {
  const size = Math.ceil(batches.length / mostGroups);
  return Array.from({ length: Math.floor(batches.length / Math.max(1, size)) }, (_, index) => {
    const isLast = (index + 2) * size > batches.length;
    const members = batches.slice(index * size, isLast ? undefined : (index + 1) * size);
    return {
      samples: sumOf(members, "samples"),
      total: sumOf(members, "total"),
      slow: sumOf(members, "slow"),
    };
  });
}

function sumOf(batches: readonly Batch[], of: keyof Batch): number {
  return batches.reduce((sum, batch) => sum + batch[of], 0);
}
