import type { SeriesResult, TestResult } from "@bearhug/sdk";

/** What the share of an iteration's time is, at least and at most, in which it waits for requests. */
export interface RequestShare {
  readonly least: number;
  readonly most: number;
}

/** Parts of a request that its duration does not hold. */
const beforeSending = [
  "http_req_blocked",
  "http_req_looking_up",
  "http_req_connecting",
  "http_req_tls_handshaking",
];

/**
 * How much of the time of a scenario's iterations went into requests; null where the result does not tell.
 * Requests may run at the same time: iterations that are alike wait at least as long as an average one of their requests
 * takes, and any at most as long as all of its requests take one after the other.
 */
export function boundRequestShare({ series }: TestResult, scenario: string): RequestShare | null {
  // Merges over all scenarios do not carry the tag.
  const own = series.filter(({ tags }) => tags["scenario"] === scenario);
  const iterations = trendOf(own, "iteration_duration");
  const requests = trendOf(own, "http_req_duration");
  if (iterations.sumMs <= 0) return null;
  // What never connected took time, too, and nobody knows how much.
  if (countOf(own, "http_reqs") !== requests.count) return null;
  const perIteration = requests.count / iterations.count;
  const averageMs = requests.count === 0 ? 0 : requests.sumMs / requests.count;
  const besidesMs = beforeSending.reduce((sum, metric) => sum + trendOf(own, metric).sumMs, 0);
  return {
    least: Math.min(1, (averageMs * Math.min(1, perIteration) * iterations.count) / iterations.sumMs),
    most: Math.min(1, (requests.sumMs + besidesMs) / iterations.sumMs),
  };
}

function trendOf(series: readonly SeriesResult[], metric: string): { count: number; sumMs: number } {
  let [count, sumMs] = [0, 0];
  for (const { metric: own, values } of series) {
    if (own !== metric) continue;
    count += values["count"] ?? 0;
    sumMs += (values["count"] ?? 0) * (values["avg"] ?? 0);
  }
  return { count, sumMs };
}

function countOf(series: readonly SeriesResult[], metric: string): number {
  return series.reduce(
    (sum, { metric: own, values }) => sum + (own === metric ? (values["count"] ?? 0) : 0),
    0,
  );
}
