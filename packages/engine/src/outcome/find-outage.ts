import { sumBy } from "@bearhug/metrics/sum";
import { trendScale, type Trend } from "@bearhug/metrics/trend";
import type { VariantOutage } from "@bearhug/sdk/result";

import { failuresOf } from "./turn-figures.ts";
import type { TurnMetrics } from "./turn-store.ts";

/** A shorter outage may be a restart, and is not reported. */
const minOutageMs = 1000;
/** The highest probability, over a whole run, of reporting an outage by chance. */
const maxChance = 1e-4;
/** The share of virtual users' time above which unanswered requests are an outage. */
const maxShareLost = 0.05;

/**
 * The turns of one variant, and its requests without an expected response, including those in changeovers.
 */
export interface VariantTraffic {
  readonly stretches: readonly TurnMetrics[];
  /** The length of a stretch, in which each variant has its turns. */
  readonly stretchMs: number;
  readonly turnMs: number;
  /** The times of requests without an expected response; null without any. */
  readonly unexpected: Trend | null;
  /** Null in an open model, where a hanging request does not delay others. */
  readonly vus: number | null;
  /**
   * The time until which iterations were started; `durationMs` is the time at which the last one had ended.
   */
  readonly startsUntilMs: number;
  readonly durationMs: number;
}

/** Finds out when a variant was down; null if it was not. */
export function findOutage(traffic: VariantTraffic): VariantOutage | null {
  return findFailedTurns(traffic) ?? findUnanswered(traffic);
}

/** A stretch in which the variant received requests. */
interface ActiveStretch {
  readonly at: number;
  readonly failed: number;
  readonly requests: number;
}

/**
 * Finds the longest sequence of turns in which no request succeeded, if it is too long for a restart or for
 * chance.
 */
function findFailedTurns({ stretches, stretchMs, turnMs }: VariantTraffic): VariantOutage | null {
  const active = stretches.flatMap((metrics, at): ActiveStretch[] => {
    const { trues, samples } = failuresOf(metrics);
    return samples === 0 ? [] : [{ at, failed: trues, requests: samples }];
  });
  const row = longestRow(active);
  const [first, last] = [row[0], row.at(-1)];
  if (first === undefined || last === undefined) return null;
  const ownMs = turnMs >= minOutageMs ? turnMs : 0;
  if ((last.at - first.at) * stretchMs + ownMs < minOutageMs) return null;
  if (chanceOf(row, active) >= maxChance) return null;
  return { kind: "failed", fromMs: first.at * stretchMs, untilMs: (last.at + 1) * stretchMs };
}

function longestRow(active: readonly ActiveStretch[]): readonly ActiveStretch[] {
  let [longest, row]: ActiveStretch[][] = [[], []];
  for (const one of active) {
    row = one.failed === one.requests ? [...(row ?? []), one] : [];
    if (row.length > (longest?.length ?? 0)) longest = row;
  }
  return longest ?? [];
}

/**
 * Returns the probability that chance makes such a sequence of failures anywhere, given the failure rate of
 * all other stretches.
 */
function chanceOf(row: readonly ActiveStretch[], active: readonly ActiveStretch[]): number {
  const total = (stretches: readonly ActiveStretch[], of: "failed" | "requests"): number =>
    sumBy(stretches, (one) => one[of]);
  const others = total(active, "requests") - total(row, "requests");
  if (others === 0) return 0;
  const share = (total(active, "failed") - total(row, "failed")) / others;
  return active.length * share ** total(row, "requests");
}

/**
 * Finds an outage by the time that requests without an expected response took. Within the graceful stop, a
 * hanging request looks like a slow one, so only the time beyond its length counts as lost.
 */
function findUnanswered(traffic: VariantTraffic): VariantOutage | null {
  const { unexpected, vus, startsUntilMs, durationMs } = traffic;
  if (unexpected === null || vus === null) return null;
  const graceMs = durationMs - startsUntilMs;
  let [lostMs, longestMs] = [0, 0];
  for (const { lowest, highest, count } of unexpected.ranges()) {
    const beforeEndMs = Math.min(startsUntilMs, (lowest + highest) / 2 / trendScale - graceMs);
    if (beforeEndMs <= 0) continue;
    lostMs += beforeEndMs * count;
    longestMs = Math.max(longestMs, beforeEndMs);
  }
  if (longestMs < minOutageMs || lostMs <= maxShareLost * vus * startsUntilMs) return null;
  return { kind: "unanswered", fromMs: startsUntilMs - longestMs, untilMs: startsUntilMs };
}
