import { amountOf, formatLoad } from "@bearhug/metrics/results/load";
import type { TrialResult } from "@bearhug/sdk/result";
import { formatRate } from "@bearhug/text/number";

import { droppedShare, negligibleDroppedShare } from "../trial-figures.ts";

/** A trial that violated an objective, and the one nearest below it that did not. */
export interface LimitingTrials {
  readonly violated: TrialResult;
  readonly met: TrialResult | null;
  /** True if requests that failed violated an objective, false if slow ones did. */
  readonly byFailures: boolean;
  /** The highest rate of successful operations in any trial that counts. */
  readonly mostGoodRate: number;
}

/** Throughput that grows by less than this share of the load's growth has reached its ceiling. */
const ceilingShare = 0.5;

/** Describes in one sentence what keeps the target from handling more load. */
export function describeLimit({ violated, met, byFailures, mostGoodRate }: LimitingTrials): string {
  const good = `${rounded(violated.goodRate)} ${violated.operation}s/s succeed`;
  const [error] = violated.errors;
  if (byFailures && error !== undefined) {
    const share = percent(error.count / Math.max(1, violated.count));
    if (error.code === "HTTP_429")
      return `a rate limiter: the target answers ${share} of requests with 429 (Too Many Requests), while ${good}`;
    if (error.code === "HTTP_503")
      return `a limit on concurrent requests: the target refuses ${share} of requests with 503 (Service Unavailable), with ${rounded(violated.concurrency)} in flight on average, while ${good}`;
    return `failures: ${share} of requests end with ${error.code}, while ${good}`;
  }
  const dropped = droppedShare(violated);
  if (dropped > negligibleDroppedShare)
    return `virtual users: all of them were busy, so ${percent(dropped)} of iterations were never started, while ${good}; --max-vus (a test: maxVUs) allows more`;
  const times = violated.times;
  const slow =
    times === null
      ? ""
      : `; p99 is ${milliseconds(times.p99)}${met?.times ? `, ${milliseconds(met.times.p99)} at ${described(met)}` : ""}`;
  const gained =
    met === null ? null : (violated.goodRate - met.goodRate) / (amountOf(violated.load) - amountOf(met.load));
  const isCeiling = gained !== null && gained < ceilingShare;
  const queue = `queueing at ${described(violated)}: ${rounded(violated.concurrency)} ${violated.concurrency === 1 ? "request is" : "requests are"} in flight on average`;
  return `${queue}${isCeiling ? `, and no more than ${rounded(mostGoodRate)} ${violated.operation}s/s complete` : ""}${slow}`;
}

function described({ load }: TrialResult): string {
  return load.kind === "vus" ? formatLoad(load.vus, "vus") : formatRate(load.perSecond, 4);
}

function rounded(value: number): string {
  return String(Number(value.toPrecision(3)));
}

function percent(share: number): string {
  return `${rounded(share * 100)} %`;
}

function milliseconds(ms: number): string {
  return `${rounded(ms)} ms`;
}
