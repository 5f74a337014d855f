import type { TestResult } from "@bearhug/sdk";
import { executors } from "@bearhug/sdk/internal";
import { capitalized } from "@bearhug/text/capitalized";
import { formatDuration } from "@bearhug/text/duration";
import { markLowerBound } from "@bearhug/text/number";

import type { Style } from "./style.ts";

type Metrics = TestResult["metrics"];

/** A smaller gap, by either bound, is not reported: the two ways to measure give nearly the same figures. */
const leastGapMs = 1;
const leastGapShare = 0.1;

/** A generator counts as late from this delay on. */
const leastLateMs = 20;

/** Explains how long requests of an open model waited before they were sent; empty if they hardly waited. */
export function renderWaiting({ plan, metrics, generator }: TestResult, style: Style): string[] {
  if (!plan.scenarios.some(({ executor }) => executors[executor].isOpen)) return [];
  // A short stall of the target may dominate both p99s. Then p95 shows the visitors who waited for its end.
  for (const percentile of [99, 95]) {
    const own = percentileOf(metrics, "http_req_duration", percentile);
    const due = percentileOf(metrics, "http_req_response_time", percentile);
    if (own === null || due === null) continue;
    const gapMs = due.ms - own.ms;
    if (gapMs <= leastGapMs || gapMs <= own.ms * leastGapShare) continue;
    const views =
      `Requests waited before they were sent: measured from the intended start, p${percentile} is ${due.shown}; ` +
      `http_req_duration, which starts at sending, shows ${own.shown}${describeView(generator)}.`;
    const parts = describeParts(metrics, percentile, gapMs);
    return style.paragraph(parts.length === 0 ? views : `${views} ${sentence(parts)}`);
  }
  return [];
}

/**
 * Describes the second figure. The figures of a late generator include its own lateness, so neither is that
 * of a closed model.
 */
function describeView({ verdict, workers }: TestResult["generator"]): string {
  if (verdict === "healthy") return ", as a closed model would";
  const wasLate = workers.some(({ loopDelayP99Ms, scheduleLagP99Ms }) =>
    [loopDelayP99Ms, scheduleLagP99Ms].some((lateMs) => lateMs !== null && lateMs >= leastLateMs),
  );
  const why = wasLate ? "the generator fell behind" : "the generator did not keep up";
  return `. Neither measures the target alone: ${why} (${verdict}, see Generator)`;
}

function describeParts(metrics: Metrics, percentile: number, gapMs: number): string[] {
  const vuWait = percentileOf(metrics, "vu_wait", percentile);
  const lag = percentileOf(metrics, "schedule_lag", percentile);
  const blocked = percentileOf(metrics, "http_req_blocked", percentile);
  return [
    ...(vuWait === null ? [] : [`waiting for a free VU: p${percentile} ${vuWait.shown}`]),
    ...(lag === null ? [] : [`generator lag: p${percentile} ${lag.shown}`]),
    ...(blocked === null || blocked.ms < gapMs * leastGapShare
      ? []
      : [`waiting for a connection: p${percentile} ${blocked.shown}`]),
  ];
}

function sentence(parts: readonly string[]): string {
  return `${capitalized(parts.join("; "))}.`;
}

function percentileOf(
  metrics: Metrics,
  name: string,
  percentile: number,
): { readonly ms: number; readonly shown: string } | null {
  const metric = metrics[name];
  if (metric?.type !== "trend") return null;
  const key = `p(${percentile})` as const;
  const ms = metric.values[key];
  if (ms === undefined) return null;
  return { ms, shown: markLowerBound(formatDuration(ms), metric.lowerBounds?.includes(key) === true) };
}
