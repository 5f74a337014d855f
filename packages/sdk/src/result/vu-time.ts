import { openingPhases, requestPhases } from "../http/timings.ts";
import type { TestResult } from "./result.ts";
import type { SeriesResult } from "./result-metrics.ts";

/** The main use that the virtual users of a scenario made of their time. */
export interface VuTime {
  /**
   * `hung`: requests that got no answer; `requests`: those that did; `test`: the test's own waiting (sleep, think) and
   * computing. `unclear` if the figures do not show it.
   */
  readonly spentOn: "hung" | "requests" | "test" | "unclear";
  /** The greatest share of it, of 1, that may have gone into requests; null where that is not known. */
  readonly mostInRequests: number | null;
}

/** The parts of a result that show what virtual users spent their time on. */
export type VuTimeFacts = Pick<TestResult, "series" | "metrics" | "accounting" | "intervals">;

/** Up to this share of an iteration's time, requests are not what it is spent on; from the other one on, they are. */
const [littleShare, muchShare] = [0.25, 0.75];
/** From this share on, requests without an answer are what keeps virtual users busy. */
const hungShare = 0.5;

/** Returns what the virtual users of a scenario spent their time on. */
export function timeOfVus(facts: VuTimeFacts, scenario: string): VuTime {
  const share = boundRequestShare(facts, scenario);
  const mostInRequests = share?.most ?? null;
  if (didMostHangToTheEnd(facts) || unansweredShare(facts, scenario) >= hungShare)
    return { spentOn: "hung", mostInRequests };
  if (share === null) return { spentOn: "unclear", mostInRequests };
  if (share.most <= littleShare) return { spentOn: "test", mostInRequests };
  return { spentOn: share.least >= muchShare ? "requests" : "unclear", mostInRequests };
}

/** True if interrupted requests, which leave no samples, held most virtual users for most of the time. */
function didMostHangToTheEnd({ metrics, accounting, intervals }: VuTimeFacts): boolean {
  const interrupted = accounting.requests.reduce((sum, request) => sum + request.interrupted, 0);
  const vus = metrics["vus"];
  if (interrupted === 0 || vus?.type !== "gauge" || interrupted < vus.values.max * muchShare) return false;
  const iterations = metrics["iteration_duration"];
  const endedMs = iterations?.type === "trend" ? iterations.values.count * iterations.values.avg : 0;
  const busyMs = intervals.reduce((sum, interval) => sum + interval.vus * interval.widthMs, 0);
  return endedMs < busyMs * hungShare;
}

/** The share of the iterations' time that went into requests that failed without an answer. */
function unansweredShare({ series }: VuTimeFacts, scenario: string): number {
  const own = series.filter(({ tags }) => tags["scenario"] === scenario);
  const unanswered = own.filter(({ tags }) => tags["status"] === "0");
  const { sumMs } = trendOf(own, "iteration_duration");
  return sumMs <= 0 ? 0 : trendOf(unanswered, "http_req_duration").sumMs / sumMs;
}

/** The least and the greatest share of an iteration's time in which it may have waited for requests. */
interface RequestShare {
  readonly least: number;
  readonly most: number;
}

/** Parts of a request that its duration does not hold. */
const beforeSending = (["blocked", ...openingPhases] as const).map((phase) => requestPhases[phase].metric);

/**
 * How much of the time of a scenario's iterations went into requests; null if the result does not show it.
 * Requests may run at the same time: iterations that are alike wait at least as long as an average one of their requests
 * takes, and any at most as long as all of its requests take one after the other.
 */
function boundRequestShare({ series }: VuTimeFacts, scenario: string): RequestShare | null {
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
