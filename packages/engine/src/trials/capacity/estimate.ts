import { sumBy } from "@bearhug/metrics/sum";

import type { Batch, Objective } from "./objective.ts";

/** An objective's figure at one load, with its uncertainty. */
export interface Estimate {
  readonly samples: number;
  /** The share of violating requests, or the mean time in milliseconds. */
  readonly value: number;
  /**
   * The number of requests that give as much information as one independent request: requests that wait in
   * one queue are late together. Verdicts use the greater of this load's effect and that of all loads.
   */
  readonly designEffect: number;
  /** The standard error of a mean; 0 for a share, whose error follows from the effective samples. */
  readonly standardError: number;
  /** The degrees of freedom of the spread that its own batches show. */
  readonly degrees: number;
  /** The degrees of freedom for the verdict: those of all loads if it uses their design effect. */
  readonly spreadDegrees: number;
  /**
   * The most likely design effect, given this load and all others. It sets the weight of this load in
   * locating the limit.
   */
  readonly pooledEffect: number;
}

/** The most groups that batches are joined into: fewer and longer ones depend less on each other. */
const maxGroups = 16;

/** Estimates an objective's figure from all batches at one load; null if there are too few to judge. */
export function estimateObjective(objective: Objective, batches: readonly Batch[]): Estimate | null {
  const filled = batches.filter(({ samples }) => samples > 0);
  const groups = joinBatches(filled);
  if (groups.length < 3) return null;
  const samples = sumOf(groups, "samples");
  const value = sumOf(groups, "total") / samples;
  const degrees = groups.length - 1;
  const isMean = objective.judges === "mean";
  const designEffect = isMean ? 1 : Math.max(1, effectOf(groups, "total"), effectOf(groups, "slow"));
  return {
    samples,
    value,
    designEffect,
    standardError: isMean ? Math.sqrt(spreadOf(groups, "total") * samples) / samples : 0,
    degrees,
    spreadDegrees: degrees,
    pooledEffect: designEffect,
  };
}

/**
 * Returns the design effect of a share by batch means: the ratio of its variance to that of independent
 * requests. 0 if no request counts, or each does.
 */
function effectOf(groups: readonly Batch[], of: "total" | "slow"): number {
  const share = sumOf(groups, of) / sumOf(groups, "samples");
  return share <= 0 || share >= 1 ? 0 : spreadOf(groups, of) / (share * (1 - share));
}

/**
 * Returns the variance of a sum over batches, per sample. Computed as that of a ratio, so that batches may
 * differ in size.
 */
function spreadOf(groups: readonly Batch[], of: "total" | "slow"): number {
  const samples = sumOf(groups, "samples");
  const ratio = sumOf(groups, of) / samples;
  const squares = sumBy(groups, (group) => (group[of] - ratio * group.samples) ** 2);
  return (squares * groups.length) / (groups.length - 1) / samples;
}

function joinBatches(batches: readonly Batch[]): Batch[] {
  const size = Math.ceil(batches.length / maxGroups);
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
  return sumBy(batches, (batch) => batch[of]);
}
