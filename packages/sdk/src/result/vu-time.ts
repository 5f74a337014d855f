import { openingPhases, requestPhases } from "../http/timings.ts";
import type { TestResult } from "./result.ts";
import type { SeriesResult } from "./result-metrics.ts";

/** The activity on which the virtual users of a scenario spent most of their time. */
export interface VuTime {
  /**
   * `hung`: requests without a response. `requests`: requests with a response. `test`: the test's own waiting
   * (sleep, think) and computing. `unclear` if the figures do not show it.
   */
  readonly spentOn: "hung" | "requests" | "test" | "unclear";
  /** The greatest share of their time, from 0 to 1, that they may have spent on requests; null if unknown. */
  readonly mostInRequests: number | null;
}

/** The parts of a result from which the use of virtual users' time is derived. */
export type VuTimeSource = Pick<TestResult, "series" | "metrics" | "accounting" | "intervals">;

/**
 * Up to the first share of an iteration's time, requests are not its main activity; from the second share on,
 * they are.
 */
const [littleShare, muchShare] = [0.25, 0.75];
/** From this share on, requests without a response are the main activity. */
const hungShare = 0.5;

/** Determines on what the virtual users of a scenario spent their time. `scenario`: its name. */
export function classifyVuTime(result: VuTimeSource, scenario: string): VuTime {
  const share = boundRequestShare(result, scenario);
  const mostInRequests = share?.most ?? null;
  if (didMostHangAtTheEnd(result) || unansweredShare(result, scenario) >= hungShare)
    return { spentOn: "hung", mostInRequests };
  if (share === null) return { spentOn: "unclear", mostInRequests };
  if (share.most <= littleShare) return { spentOn: "test", mostInRequests };
  return { spentOn: share.least >= muchShare ? "requests" : "unclear", mostInRequests };
}

/** True if interrupted requests, which leave no samples, held most virtual users for most of the time. */
function didMostHangAtTheEnd({ metrics, accounting, intervals }: VuTimeSource): boolean {
  const interrupted = accounting.requests.reduce((sum, request) => sum + request.interrupted, 0);
  const vus = metrics["vus"];
  if (interrupted === 0 || vus?.type !== "gauge" || interrupted < vus.values.max * muchShare) return false;
  const iterations = metrics["iteration_duration"];
  const endedMs = iterations?.type === "trend" ? iterations.values.count * iterations.values.avg : 0;
  const busyMs = intervals.reduce((sum, interval) => sum + interval.vus * interval.widthMs, 0);
  return endedMs < busyMs * hungShare;
}

/** Returns the share of the iterations' time that was spent on requests that failed without a response. */
function unansweredShare({ series }: VuTimeSource, scenario: string): number {
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

/** The metrics of a request's phases that its duration does not include. */
const beforeSending = (["blocked", ...openingPhases] as const).map((phase) => requestPhases[phase].metric);

/**
 * Returns bounds of the share of a scenario's iteration time that was spent on requests; null if the result
 * does not show it. Requests may run at the same time. Iterations that are alike wait at least for the
 * average duration of one request, and every iteration waits at most for the sum of its requests' durations.
 */
function boundRequestShare({ series }: VuTimeSource, scenario: string): RequestShare | null {
  // Series that are merged over all scenarios do not have the tag.
  const own = series.filter(({ tags }) => tags["scenario"] === scenario);
  const iterations = trendOf(own, "iteration_duration");
  const requests = trendOf(own, "http_req_duration");
  if (iterations.sumMs <= 0) return null;
  // Requests that never got a connection took time, too, but it is unknown how much.
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
