import { trendScale, type Trend } from "@bearhug/metrics/trend";
import type { VariantOutage } from "@bearhug/sdk/result";

import { failuresOf } from "./turn-figures.ts";
import type { TurnMetrics } from "./turn-store.ts";

/** A shorter outage is that of a restart. */
const leastOutageMs = 1000;
/** An outage is not called by chance more often than this in all of a run. */
const leastChance = 1e-4;
/** Unanswered requests that took a larger share of the virtual users' time are an outage. */
const mostTimeLost = 0.05;

/** The turns of one variant, and the requests of its that were not answered as expected, in changeovers, too. */
export interface VariantTraffic {
  readonly stretches: readonly TurnMetrics[];
  /** How long a stretch of turns is; it has a turn of each variant. */
  readonly stretchMs: number;
  readonly turnMs: number;
  /** The times of requests without an expected response; null without any. */
  readonly unexpected: Trend | null;
  /** Null in an open model, where a request that hangs keeps no other from its start. */
  readonly vus: number | null;
  /** When no iteration was started any more, and when the last one had ended. */
  readonly startsUntilMs: number;
  readonly durationMs: number;
}

/** Finds when a variant was down; null where it was not. */
export function findOutage(traffic: VariantTraffic): VariantOutage | null {
  return findFailedTurns(traffic) ?? findUnanswered(traffic);
}

/** A stretch in which the variant had requests. */
interface AskedStretch {
  readonly at: number;
  readonly failed: number;
  readonly requests: number;
}

/** The longest row of turns of which no request succeeded, if it is too long for a restart and for chance. */
function findFailedTurns({ stretches, stretchMs, turnMs }: VariantTraffic): VariantOutage | null {
  const asked = stretches.flatMap((metrics, at): AskedStretch[] => {
    const { trues, samples } = failuresOf(metrics);
    return samples === 0 ? [] : [{ at, failed: trues, requests: samples }];
  });
  const row = longestRow(asked);
  const [first, last] = [row[0], row.at(-1)];
  if (first === undefined || last === undefined) return null;
  const ownMs = turnMs >= leastOutageMs ? turnMs : 0;
  if ((last.at - first.at) * stretchMs + ownMs < leastOutageMs) return null;
  if (chanceOf(row, asked) >= leastChance) return null;
  return { kind: "failed", fromMs: first.at * stretchMs, untilMs: (last.at + 1) * stretchMs };
}

function longestRow(asked: readonly AskedStretch[]): readonly AskedStretch[] {
  let [longest, row]: AskedStretch[][] = [[], []];
  for (const one of asked) {
    row = one.failed === one.requests ? [...(row ?? []), one] : [];
    if (row.length > (longest?.length ?? 0)) longest = row;
  }
  return longest ?? [];
}

/** How likely a row of failures is by the failures of all other stretches, for any of them to begin it. */
function chanceOf(row: readonly AskedStretch[], asked: readonly AskedStretch[]): number {
  const total = (stretches: readonly AskedStretch[], of: "failed" | "requests"): number =>
    stretches.reduce((sum, one) => sum + one[of], 0);
  const others = total(asked, "requests") - total(row, "requests");
  if (others === 0) return 0;
  const share = (total(asked, "failed") - total(row, "failed")) / others;
  return asked.length * share ** total(row, "requests");
}

/** A slow request looks like one that hangs until the load has ended, so only the wait after that counts as lost. */
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
  if (longestMs < leastOutageMs || lostMs <= mostTimeLost * vus * startsUntilMs) return null;
  return { kind: "unanswered", fromMs: startsUntilMs - longestMs, untilMs: startsUntilMs };
}
