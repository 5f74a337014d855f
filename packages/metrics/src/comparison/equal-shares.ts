import { formatCount } from "@bearhug/text/number";
import { formatPercent } from "@bearhug/text/percent";

import { formatSize } from "./change.ts";
import type { BlockedSamples } from "./blocked-samples.ts";
import { sumBy } from "../sum.ts";

/** A rate that is 0, or 1, on both sides: the sides show no difference, however few samples there are. */
export interface EqualShares {
  readonly share: 0 | 1;
  /** The differences from base to new that are possible with these numbers of samples. */
  readonly interval: readonly [low: number, high: number];
  /** The samples of each side. */
  readonly counts: readonly [base: number, other: number];
}

/** The probability of a wrong bound. */
const level = 0.05;

/**
 * Returns the shares if all samples of both sides are false, or all true; null otherwise,
 * and for other figures.
 */
export function findEqualShares(
  base: readonly BlockedSamples[],
  other: readonly BlockedSamples[],
): EqualShares | null {
  const [before, after] = [shareOf(base), shareOf(other)];
  if (before === null || after === null || before.share !== after.share) return null;
  const counts = [before.count, after.count] as const;
  const [ofBase, ofOther] = counts.map(maxHiddenShare) as [number, number];
  return {
    share: before.share,
    counts,
    interval: after.share === 0 ? [-ofBase, ofOther] : [-ofOther, ofBase],
  };
}

function shareOf(side: readonly BlockedSamples[]): { readonly share: 0 | 1; readonly count: number } | null {
  const blocks = side.flatMap((run) =>
    run.kind === "ratio" ? run.parts.map((part, at) => [part, run.wholes[at] ?? 0] as const) : [],
  );
  const count = sumBy(blocks, ([, whole]) => whole);
  if (count === 0) return null;
  if (blocks.every(([part]) => part === 0)) return { share: 0, count };
  return blocks.every(([part, whole]) => part === whole) ? { share: 1, count } : null;
}

/**
 * Returns the greatest share of which `count` samples contain none in 1 of 20 cases. Source:
 * Clopper and Pearson, 1934.
 */
function maxHiddenShare(count: number): number {
  return 1 - level ** (1 / count);
}

/** Describes the largest difference that could go unnoticed, if it exceeds the tolerance; empty otherwise. */
export function describeEqualShares(
  name: string,
  { share, interval, counts }: EqualShares,
  tolerance: number,
): string[] {
  const most = Math.max(-interval[0], interval[1]);
  if (most <= tolerance) return [];
  const [base, other] = counts.map((count) => formatCount(count));
  const samples = base === other ? base : `${base} and ${other}`;
  return [
    `${name} is ${formatPercent(share)} on both sides. With ${samples} samples, a difference of up to ${formatSize("points", most)} could go unnoticed (95 % confidence).`,
  ];
}
